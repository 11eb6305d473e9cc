package dev.berth.scheduler.cluster.affinity;

import dev.berth.model.selector.LabelSelector;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.List;

/**
 * Which pods count: those that every term matches.
 *
 * @param terminating whether pods on their way out count too
 */
public record PodSelection(List<PodTerm> terms, boolean terminating) {

  public PodSelection {
    terms = List.copyOf(terms);
  }

  /** The pods of a namespace that are not on their way out. */
  public static PodSelection remaining(String namespace, LabelSelector labels) {
    return new PodSelection(List.of(PodTerm.in(namespace, labels)), false);
  }

  public static PodSelection all(PodTerm... terms) {
    return new PodSelection(List.of(terms), true);
  }

  public boolean matches(PodInfo pod, NamespaceLabels known) {
    if (!terminating && pod.view().terminating()) {
      return false;
    }
    for (PodTerm term : terms) {
      if (!term.matches(pod, known)) {
        return false;
      }
    }
    return true;
  }
}
