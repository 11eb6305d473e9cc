package dev.berth.policy.daemon;

import dev.berth.model.core.DaemonSetView;
import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.NodeSelector.FieldRequirement;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.FromTemplate;
import java.util.Optional;

/** A DaemonSet's pod for one node, made from the template. */
public final class DaemonPodSpec {
  private static final FieldPath REQUIRED_TERMS =
      FieldPath.of("spec", "affinity", "nodeAffinity", NodeAffinity.REQUIRED, "nodeSelectorTerms");

  private DaemonPodSpec() {}

  /**
   * A pod to be created.
   *
   * @param hash what pods of the template's revision are labelled with
   * @param scheduled whether the scheduler binds it
   */
  public static JsonObject pod(DaemonSetView set, String node, String hash, boolean scheduled) {
    JsonObject labelled =
        Metadata.update(
            FromTemplate.pod(set.tree(), set.template()),
            metadata -> metadata.update("labels", labels -> labels(set, labels, hash)));
    return scheduled ? scheduled(labelled, node) : bound(labelled, node);
  }

  private static JsonObject labels(DaemonSetView set, JsonObject labels, String hash) {
    JsonObject labelled = labels.with(WellKnownLabels.CONTROLLER_REVISION_HASH, hash);
    return set.metadata()
        .annotation(WellKnownAnnotations.DAEMON_SET_TEMPLATE_GENERATION)
        .filter(generation -> !generation.isEmpty())
        .map(generation -> labelled.with(WellKnownLabels.POD_TEMPLATE_GENERATION, generation))
        .orElse(labelled);
  }

  /**
   * A pod that the scheduler binds. Its required node affinity is replaced by one that names the
   * node, by field and not by label, as labels can be changed; what it prefers stays.
   */
  static JsonObject scheduled(JsonObject pod, String node) {
    JsonObject name =
        new JsonObject.Builder()
            .put("key", FieldRequirement.NAME)
            .put("operator", "In")
            .put("values", JsonArray.of(node))
            .build();
    JsonObject term = JsonObject.of("matchFields", JsonArray.of(name));
    return (JsonObject) REQUIRED_TERMS.set(tolerating(pod), JsonArray.of(term));
  }

  /** A pod that is bound from the start, for a cluster where no scheduler runs yet. */
  static JsonObject bound(JsonObject pod, String node) {
    return tolerating(pod).update("spec", spec -> spec.with("nodeName", node));
  }

  /** The node that an affinity requires by its name. */
  static Optional<String> namedNode(NodeAffinity affinity) {
    if (affinity.required() == null) {
      return Optional.empty();
    }
    return affinity.required().terms().stream()
        .flatMap(term -> term.fields().stream())
        .filter(f -> f.equal() && f.field().equals(FieldRequirement.NAME))
        .map(FieldRequirement::value)
        .findFirst();
  }

  private static JsonObject tolerating(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    JsonArray tolerations = DaemonTolerations.addTo(pod.tolerations(), pod.hostNetwork());
    return tree.update("spec", spec -> spec.with("tolerations", tolerations));
  }
}
