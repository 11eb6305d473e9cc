package dev.berth.policy.stateful;

import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.core.PodTemplate;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
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
      StatefulSetView set, JsonObject template, String revision, long ordinal) {
    String name = set.podName(ordinal);
    String service = set.spec().serviceName();
    PodTemplate given = new PodTemplate(template).withVolumes(volumes(set, ordinal));
    JsonObject pod = FromTemplate.pod(set.tree(), given.tree());
    JsonObject labels =
        Metadata.of(pod).labels().with(WellKnownLabels.CONTROLLER_REVISION_HASH, revision);
    return Metadata.update(
            pod,
            metadata ->
                metadata
                    .without("generateName")
                    .with("name", name)
                    .with("labels", withIdentity(labels, name, ordinal)))
        .update(
            "spec",
            spec -> {
              JsonObject named = spec.with("hostname", name);
              return service.isEmpty() ? named : named.with("subdomain", service);
            });
  }

  /** Labels that say who a pod is. */
  public static JsonObject withIdentity(JsonObject labels, String name, long ordinal) {
    return labels
        .with(WellKnownLabels.STATEFUL_SET_POD_NAME, name)
        .with(WellKnownLabels.STATEFUL_SET_POD_INDEX, Long.toString(ordinal));
  }

  /** A volume for each claim. */
  private static List<JsonObject> volumes(StatefulSetView set, long ordinal) {
    List<JsonObject> volumes = new ArrayList<>();
    for (JsonObject claim : set.spec().claimTemplates()) {
      volumes.add(
          new JsonObject.Builder()
              .put("name", Metadata.of(claim).name())
              .put(
                  "persistentVolumeClaim",
                  JsonObject.of("claimName", claimName(claim, set, ordinal)))
              .build());
    }
    return volumes;
  }

  public static String claimName(JsonObject template, StatefulSetView set, long ordinal) {
    return Metadata.of(template).name() + "-" + set.podName(ordinal);
  }

  /** The claims of a pod to be made; their labels are the template's and the selector's. */
  public static List<JsonObject> claims(StatefulSetView set, long ordinal) {
    List<JsonObject> claims = new ArrayList<>();
    for (JsonObject template : set.spec().claimTemplates()) {
      JsonObject.Builder labels = new JsonObject.Builder();
      Metadata.of(template).labels().forEach(labels::put);
      set.spec().selectedLabels().forEach(labels::put);
      JsonObject claim =
          Metadata.update(
                  template,
                  metadata ->
                      metadata
                          .without("creationTimestamp")
                          .with("name", claimName(template, set, ordinal))
                          .with("namespace", set.metadata().namespace())
                          .with("labels", labels.build()))
              .with("kind", "PersistentVolumeClaim")
              .with("apiVersion", "v1")
              .without("status");
      claims.add(ClaimOwners.update(claim, set, ordinal, null).orElse(claim));
    }
    return claims;
  }
}
