package dev.berth.policy.deployment;

import static dev.berth.model.meta.WellKnownAnnotations.DAEMON_SET_TEMPLATE_GENERATION;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_DESIRED_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_MAX_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION_HISTORY;
import static dev.berth.model.meta.WellKnownAnnotations.LAST_APPLIED_CONFIGURATION;

import dev.berth.model.apps.DeploymentSpec;
import dev.berth.model.apps.DeploymentView;
import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.core.PodTemplate;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The set of a deployment's present template.
 *
 * <ol>
 *   <li>It is the oldest of those with that template. There is none after the template has become
 *       one that never was; then one is made.
 *   <li>Its revision is one more than the greatest among the others. One that had a revision before
 *       keeps it in its history: the deployment was rolled back.
 *   <li>It has the deployment's annotations, but for those that are about a set or a manifest.
 * </ol>
 */
final class NewestSet {
  private static final Set<String> OWN =
      Set.of(
          LAST_APPLIED_CONFIGURATION,
          DEPLOYMENT_REVISION,
          DEPLOYMENT_REVISION_HISTORY,
          DEPLOYMENT_DESIRED_REPLICAS,
          DEPLOYMENT_MAX_REPLICAS,
          DAEMON_SET_TEMPLATE_GENERATION);

  private static final int LONGEST_HISTORY = 2000;

  private NewestSet() {}

  static Optional<ReplicaSetView> find(DeploymentSpec spec, List<ReplicaSetView> sets) {
    return sets.stream()
        .sorted(SetOrder.OLDEST_FIRST)
        .filter(set -> TemplateHash.isSame(set.template(), spec.template()))
        .findFirst();
  }

  static long revision(List<ReplicaSetView> others) {
    return others.stream().mapToLong(ReplicaSetView::revision).max().orElse(0) + 1;
  }

  /** One that is yet to be made. */
  static JsonObject make(DeploymentView deployment, long size, long revision) {
    Metadata own = deployment.metadata();
    DeploymentSpec spec = deployment.spec();
    ReplicaBounds bounds = ReplicaBounds.of(spec);
    String hash = TemplateHash.of(spec.template(), deployment.collisionCount().orElse(0));
    PodTemplate template = new PodTemplate(spec.template()).withLabel(TemplateHash.LABEL, hash);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", own.name() + "-" + hash)
            .put("namespace", own.namespace())
            .put("labels", template.labels())
            .put(
                "annotations",
                copied(own.annotations(), JsonObject.EMPTY)
                    .with(DEPLOYMENT_REVISION, Long.toString(revision))
                    .with(DEPLOYMENT_DESIRED_REPLICAS, Long.toString(bounds.replicas()))
                    .with(DEPLOYMENT_MAX_REPLICAS, Long.toString(bounds.most())))
            .put(
                "ownerReferences",
                JsonArray.of(OwnerReference.controllerOf(deployment.tree()).toTree()))
            .build();
    JsonObject.Builder set =
        new JsonObject.Builder()
            .put("replicas", size)
            .put(
                "selector",
                spec.selector()
                    .update("matchLabels", labels -> labels.with(TemplateHash.LABEL, hash)))
            .put("template", template.tree());
    if (spec.minReadySeconds() > 0) {
      set.put("minReadySeconds", spec.minReadySeconds());
    }
    return new JsonObject.Builder()
        .put("kind", "ReplicaSet")
        .put("apiVersion", "apps/v1")
        .put("metadata", metadata)
        .put("spec", set.build())
        .build();
  }

  /** One that there is, as it is to be; itself if it is. */
  static ReplicaSetView synced(DeploymentView deployment, ReplicaSetView set, long revision) {
    Metadata metadata = set.metadata();
    JsonObject annotations = copied(deployment.metadata().annotations(), metadata.annotations());
    if (set.revision() < revision) {
      annotations = annotations.with(DEPLOYMENT_REVISION, Long.toString(revision));
      if (set.revision() > 0) {
        annotations =
            annotations.with(DEPLOYMENT_REVISION_HISTORY, history(metadata, set.revision()));
      }
    }
    return set.withAnnotations(annotations)
        .withMinReadySeconds(deployment.spec().minReadySeconds());
  }

  /** What a set has, and what the deployment has besides. */
  private static JsonObject copied(JsonObject from, JsonObject to) {
    JsonObject.Builder all = new JsonObject.Builder();
    to.forEach(all::put);
    from.forEach((name, value) -> {
      if (!OWN.contains(name)) {
        all.put(name, value);
      }
    });
    return all.build();
  }

  /** The latest come last; the first are dropped when it grows too long. */
  private static String history(Metadata metadata, long revision) {
    String before = metadata.annotation(DEPLOYMENT_REVISION_HISTORY).orElse("");
    List<String> all = new ArrayList<>(before.isEmpty() ? List.of() : List.of(before.split(",")));
    all.add(Long.toString(revision));
    while (String.join(",", all).length() > LONGEST_HISTORY) {
      all.removeFirst();
    }
    return String.join(",", all);
  }
}
