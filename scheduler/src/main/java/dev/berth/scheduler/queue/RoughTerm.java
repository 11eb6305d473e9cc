package dev.berth.scheduler.queue;

import dev.berth.model.core.PodView;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which pods a term of pod affinity, or a constraint of spread, is about. For hints only: where the
 * whole truth would need more than the two pods (a selector of namespaces), it counts as met.
 */
record RoughTerm(Set<String> namespaces, boolean anyNamespace, LabelSelector selector) {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  /** The required terms of {@code spec.affinity.podAffinity} or {@code podAntiAffinity}. */
  static List<RoughTerm> required(JsonObject pod, String kind) {
    String own = pod.object("metadata").text("namespace", "");
    List<RoughTerm> terms = new ArrayList<>();
    JsonObject affinity = pod.object("spec").object("affinity").object(kind);
    for (JsonObject term : affinity.array(REQUIRED).objects()) {
      JsonArray namespaces = term.array("namespaces");
      terms.add(
          new RoughTerm(
              namespaces.isEmpty() ? Set.of(own) : Set.copyOf(namespaces.texts()),
              term.get("namespaceSelector") instanceof JsonObject,
              selector(term)));
    }
    return List.copyOf(terms);
  }

  /** The constraints of {@code spec.topologySpreadConstraints} that can forbid a node. */
  static List<RoughTerm> spread(JsonObject pod) {
    String own = pod.object("metadata").text("namespace", "");
    List<RoughTerm> terms = new ArrayList<>();
    for (JsonObject constraint : pod.object("spec").array("topologySpreadConstraints").objects()) {
      terms.add(new RoughTerm(Set.of(own), false, selector(constraint)));
    }
    return List.copyOf(terms);
  }

  private static LabelSelector selector(JsonObject term) {
    try {
      return LabelSelector.fromTree(term.get("labelSelector"));
    } catch (SelectorException _) {
      return LabelSelector.EVERYTHING;
    }
  }

  boolean isAbout(PodView pod) {
    return (anyNamespace || namespaces.contains(pod.namespace())) && selector.matches(pod.labels());
  }
}
