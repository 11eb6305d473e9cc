package dev.berth.policy.deployment;

import static dev.berth.model.meta.WellKnownAnnotations.DAEMON_SET_TEMPLATE_GENERATION;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_DESIRED_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_MAX_REPLICAS;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION_HISTORY;
import static dev.berth.model.meta.WellKnownAnnotations.LAST_APPLIED_CONFIGURATION;

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

  static Optional<SetView> find(DeploymentSpec spec, List<SetView> sets) {
    return sets.stream()
        .sorted(SetView.OLDEST_FIRST)
        .filter(set -> TemplateHash.isSame(set.template(), spec.template()))
        .findFirst();
  }

  static long revision(List<SetView> others) {
    return others.stream().mapToLong(SetView::revision).max().orElse(0) + 1;
  }

  /** One that is yet to be made. */
  static JsonObject make(DeploymentView deployment, long size, long revision) {
    Metadata own = deployment.metadata();
    DeploymentSpec spec = deployment.spec();
    long collisions = deployment.collisionCount().orElse(0);
    String hash = TemplateHash.of(spec.template(), collisions);
    JsonObject labels = spec.template().object("metadata").object("labels");
    JsonObject labeled = labels.with(TemplateHash.LABEL, hash);
    JsonObject template =
        spec.template()
            .with("metadata", spec.template().object("metadata").with("labels", labeled));
    JsonObject selector = deployment.selector();
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", own.name() + "-" + hash)
            .put("namespace", own.namespace())
            .put("labels", labeled)
            .put(
                "annotations",
                copied(own.annotations(), JsonObject.EMPTY)
                    .with(DEPLOYMENT_REVISION, Long.toString(revision))
                    .with(DEPLOYMENT_DESIRED_REPLICAS, Long.toString(spec.replicas()))
                    .with(DEPLOYMENT_MAX_REPLICAS, Long.toString(spec.most())))
            .put(
                "ownerReferences",
                JsonArray.of(OwnerReference.controllerOf(deployment.tree()).toTree()))
            .build();
    JsonObject.Builder set =
        new JsonObject.Builder()
            .put("replicas", size)
            .put(
                "selector",
                selector.with(
                    "matchLabels", selector.object("matchLabels").with(TemplateHash.LABEL, hash)))
            .put("template", template);
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
  static SetView synced(DeploymentView deployment, SetView set, long revision) {
    JsonObject annotations = set.metadata().annotations();
    JsonObject after = copied(deployment.metadata().annotations(), annotations);
    if (set.revision() < revision) {
      after = after.with(DEPLOYMENT_REVISION, Long.toString(revision));
      if (set.revision() > 0) {
        after = after.with(DEPLOYMENT_REVISION_HISTORY, history(annotations, set.revision()));
      }
    }
    return set.with(after, deployment.spec().minReadySeconds());
  }

  /** What a set has, and what the deployment has besides. */
  private static JsonObject copied(JsonObject from, JsonObject to) {
    JsonObject all = to;
    for (String name : from.names()) {
      if (!OWN.contains(name)) {
        all = all.with(name, from.text(name, ""));
      }
    }
    return all;
  }

  /** The latest come last; the first are dropped when it grows too long. */
  private static String history(JsonObject annotations, long revision) {
    String before = annotations.text(DEPLOYMENT_REVISION_HISTORY, "");
    List<String> all = new ArrayList<>(before.isEmpty() ? List.of() : List.of(before.split(",")));
    all.add(Long.toString(revision));
    while (String.join(",", all).length() > LONGEST_HISTORY) {
      all.removeFirst();
    }
    return String.join(",", all);
  }
}
