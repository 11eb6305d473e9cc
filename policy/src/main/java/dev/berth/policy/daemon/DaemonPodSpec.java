package dev.berth.policy.daemon;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.NodeSelector.FieldRequirement;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/** The specification of a DaemonSet's pod for one node, made from the template's. */
public final class DaemonPodSpec {
  private static final FieldPath REQUIRED_TERMS =
      FieldPath.of("affinity", "nodeAffinity", NodeAffinity.REQUIRED, "nodeSelectorTerms");

  private DaemonPodSpec() {}

  /**
   * A pod that the scheduler binds. Its required node affinity is replaced by one that names the
   * node, by field and not by label, as labels can be changed; what it prefers stays.
   */
  public static JsonObject scheduled(JsonObject templateSpec, String node) {
    JsonObject name =
        new JsonObject.Builder()
            .put("key", FieldRequirement.NAME)
            .put("operator", "In")
            .put("values", JsonArray.of(node))
            .build();
    JsonObject term = JsonObject.of("matchFields", JsonArray.of(name));
    return (JsonObject) REQUIRED_TERMS.set(tolerating(templateSpec), JsonArray.of(term));
  }

  /** A pod that is bound from the start, for a cluster where no scheduler runs yet. */
  public static JsonObject bound(JsonObject templateSpec, String node) {
    return tolerating(templateSpec).with("nodeName", node);
  }

  /** The node that a DaemonSet's pod is on or is meant for. */
  public static Optional<String> targetNode(PodSpecView pod) {
    if (!pod.nodeName().isEmpty()) {
      return Optional.of(pod.nodeName());
    }
    NodeAffinity affinity = pod.nodeAffinity();
    return affinity == null ? Optional.empty() : namedNode(affinity);
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

  private static JsonObject tolerating(JsonObject spec) {
    boolean hostNetwork = spec.flag("hostNetwork", false);
    return spec.with(
        "tolerations", DaemonTolerations.addTo(spec.array("tolerations"), hostNetwork));
  }
}
