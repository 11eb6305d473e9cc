package dev.berth.scheduler.cluster.affinity;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.selector.LabelOperator;
import dev.berth.model.selector.LabelRequirement;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.affinity.AffinityTerm.Kind;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a pod has for and against other pods.
 *
 * <ol>
 *   <li>A term that names no namespaces and selects none by labels is about the pod's own.
 *   <li>A term without a selector, or with a malformed one, is about no pod.
 *   <li>{@code matchLabelKeys} asks the others to have the same value as the pod, {@code
 *       mismatchLabelKeys} another one, for each label that the pod has. API servers write this
 *       into the selector when a pod is created; a key that the selector is about already was.
 * </ol>
 */
public record PodAffinity(List<AffinityTerm> terms) {
  public static final PodAffinity NONE = new PodAffinity(List.of());

  public PodAffinity {
    terms = List.copyOf(terms);
  }

  /** The terms of a kind. */
  public List<AffinityTerm> terms(Kind kind) {
    return terms.stream().filter(term -> term.kind() == kind).toList();
  }

  public boolean has(Kind kind) {
    for (AffinityTerm term : terms) {
      if (term.kind() == kind) {
        return true;
      }
    }
    return false;
  }

  /** Whether any term of a kind is about a pod. */
  public boolean isAbout(PodInfo pod, Kind kind, NamespaceLabels namespaces) {
    for (AffinityTerm term : terms) {
      if (term.kind() == kind && term.pods().matches(pod, namespaces)) {
        return true;
      }
    }
    return false;
  }

  /** Whether terms or constraints, as they stand in a pod, take values of the pod's own labels. */
  public static boolean namesLabels(Object tree) {
    return switch (tree) {
      case JsonObject object -> {
        for (int i = 0; i < object.size(); i++) {
          if (object.name(i).equals("matchLabelKeys")
              || object.name(i).equals("mismatchLabelKeys")
              || namesLabels(object.value(i))) {
            yield true;
          }
        }
        yield false;
      }
      case JsonArray array -> array.values().stream().anyMatch(PodAffinity::namesLabels);
      case Object _ -> false;
    };
  }

  /** Reads what a pod of a namespace, with these labels, has written. */
  public static PodAffinity read(String namespace, JsonObject labels, JsonObject affinity) {
    List<AffinityTerm> terms = new ArrayList<>();
    JsonObject near = affinity.object("podAffinity");
    JsonObject far = affinity.object("podAntiAffinity");
    for (JsonObject term : near.array(NodeAffinity.REQUIRED).objects()) {
      terms.add(term(Kind.REQUIRED_AFFINITY, 0, term, namespace, labels));
    }
    for (JsonObject term : far.array(NodeAffinity.REQUIRED).objects()) {
      terms.add(term(Kind.REQUIRED_ANTI_AFFINITY, 0, term, namespace, labels));
    }
    for (JsonObject weighted : near.array(NodeAffinity.PREFERRED).objects()) {
      terms.add(weighted(Kind.PREFERRED_AFFINITY, weighted, namespace, labels));
    }
    for (JsonObject weighted : far.array(NodeAffinity.PREFERRED).objects()) {
      terms.add(weighted(Kind.PREFERRED_ANTI_AFFINITY, weighted, namespace, labels));
    }
    return new PodAffinity(terms);
  }

  private static AffinityTerm weighted(
      Kind kind, JsonObject weighted, String namespace, JsonObject labels) {
    return term(
        kind,
        weighted.integer("weight").orElse(0),
        weighted.object("podAffinityTerm"),
        namespace,
        labels);
  }

  private static AffinityTerm term(
      Kind kind, long weight, JsonObject term, String namespace, JsonObject labels) {
    Set<String> namespaces = new HashSet<>(term.array("namespaces").texts());
    Object namespaceSelector = term.get("namespaceSelector");
    if (namespaces.isEmpty()
        && (namespaceSelector == null || namespaceSelector instanceof JsonNull)) {
      namespaces.add(namespace);
    }
    LabelSelector selector = selector(term.get("labelSelector"));
    selector = merged(selector, term.array("matchLabelKeys").texts(), LabelOperator.IN, labels);
    selector =
        merged(selector, term.array("mismatchLabelKeys").texts(), LabelOperator.NOT_IN, labels);
    return new AffinityTerm(
        kind,
        new PodTerm(namespaces, selector(namespaceSelector), selector),
        term.text("topologyKey", ""),
        weight);
  }

  private static LabelSelector selector(@Nullable Object tree) {
    try {
      return LabelSelector.fromTree(tree);
    } catch (SelectorException malformed) {
      return LabelSelector.NOTHING;
    }
  }

  /** A selector that asks for a pod's own value of some labels as well, or for another one. */
  public static LabelSelector merged(
      LabelSelector selector, List<String> keys, LabelOperator operator, JsonObject labels) {
    if (keys.isEmpty() || selector.selectsNothing()) {
      return selector;
    }
    List<LabelRequirement> requirements = new ArrayList<>(selector.requirements());
    for (String key : keys) {
      if (labels.get(key) instanceof String value
          && requirements.stream().noneMatch(r -> r.key().equals(key))) {
        requirements.add(new LabelRequirement(key, operator, List.of(value)));
      }
    }
    return LabelSelector.of(requirements);
  }
}
