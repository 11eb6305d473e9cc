package dev.berth.policy.stateful;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.FromTemplate;
import java.util.ArrayList;
import java.util.List;

/** Who a StatefulSet's pod is: its name, its host name, its labels and its claims. */
public final class StatefulIdentity {
  private StatefulIdentity() {}

  /**
   * A pod to be made.
   *
   * @param revision the name of the revision that the template is of
   */
  public static JsonObject pod(
      JsonObject set, StatefulSpec spec, JsonObject template, String revision, long ordinal) {
    String name = spec.podName(ordinal);
    JsonObject pod = FromTemplate.pod(set, template);
    JsonObject labels =
        Metadata.of(pod).labels().with(WellKnownLabels.CONTROLLER_REVISION_HASH, revision);
    JsonObject podSpec = template.object("spec").with("hostname", name);
    String service = set.object("spec").text("serviceName", "");
    if (!service.isEmpty()) {
      podSpec = podSpec.with("subdomain", service);
    }
    return Metadata.update(
            pod,
            metadata ->
                metadata
                    .without("generateName")
                    .with("name", name)
                    .with("labels", withIdentity(labels, name, ordinal)))
        .with("spec", withVolumes(podSpec, spec, ordinal));
  }

  /** Labels that say who a pod is. */
  public static JsonObject withIdentity(JsonObject labels, String name, long ordinal) {
    return labels
        .with(WellKnownLabels.STATEFUL_SET_POD_NAME, name)
        .with(WellKnownLabels.STATEFUL_SET_POD_INDEX, Long.toString(ordinal));
  }

  /** A volume for each claim takes the place of the template's of the same name. */
  private static JsonObject withVolumes(JsonObject podSpec, StatefulSpec spec, long ordinal) {
    if (spec.claimTemplates().isEmpty()) {
      return podSpec;
    }
    List<JsonObject> volumes = new ArrayList<>();
    List<String> claimed = new ArrayList<>();
    for (JsonObject claim : spec.claimTemplates()) {
      String name = Metadata.of(claim).name();
      claimed.add(name);
      volumes.add(
          new JsonObject.Builder()
              .put("name", name)
              .put(
                  "persistentVolumeClaim",
                  JsonObject.of("claimName", claimName(claim, spec, ordinal)))
              .build());
    }
    for (JsonObject volume : podSpec.array("volumes").objects()) {
      if (!claimed.contains(volume.text("name", ""))) {
        volumes.add(volume);
      }
    }
    return podSpec.with("volumes", JsonArray.copyOf(volumes));
  }

  public static String claimName(JsonObject template, StatefulSpec spec, long ordinal) {
    return Metadata.of(template).name() + "-" + spec.podName(ordinal);
  }

  /** The claims of a pod to be made; their labels are the template's and the selector's. */
  public static List<JsonObject> claims(JsonObject set, StatefulSpec spec, long ordinal) {
    JsonObject selected = set.object("spec").object("selector").object("matchLabels");
    List<JsonObject> claims = new ArrayList<>();
    for (JsonObject template : spec.claimTemplates()) {
      JsonObject labels = Metadata.of(template).labels();
      for (int i = 0; i < selected.size(); i++) {
        labels = labels.with(selected.name(i), selected.value(i));
      }
      JsonObject metadata =
          template
              .object("metadata")
              .without("creationTimestamp")
              .with("name", claimName(template, spec, ordinal))
              .with("namespace", spec.namespace())
              .with("labels", labels);
      JsonObject owned =
          ClaimOwners.wanted(metadata.array("ownerReferences"), set, spec, ordinal, null)
              .map(owners -> metadata.with("ownerReferences", owners))
              .orElse(metadata);
      claims.add(
          new JsonObject.Builder()
              .put("kind", "PersistentVolumeClaim")
              .put("apiVersion", "v1")
              .put("metadata", owned)
              .put("spec", template.object("spec"))
              .build());
    }
    return claims;
  }
}
