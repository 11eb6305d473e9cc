package dev.berth.scheduler.cluster.affinity;

import dev.berth.model.selector.LabelSelector;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.Set;

/**
 * Pods of some namespaces with some labels.
 *
 * @param namespaces by name
 * @param namespaceSelector by the namespace's labels; a namespace that either names will do
 */
public record PodTerm(
    Set<String> namespaces, LabelSelector namespaceSelector, LabelSelector labels) {

  public PodTerm {
    namespaces = Set.copyOf(namespaces);
  }

  /** Pods of one namespace. */
  public static PodTerm in(String namespace, LabelSelector labels) {
    return new PodTerm(Set.of(namespace), LabelSelector.NOTHING, labels);
  }

  public boolean matches(PodInfo pod, NamespaceLabels known) {
    String namespace = pod.name().namespace();
    return labels.matches(pod.labels())
        && (namespaces.contains(namespace) || namespaceSelector.matches(known.get(namespace)));
  }

  /** Whether the same namespaces are meant whatever their labels are. */
  boolean looksAtNamespaceLabels() {
    return !namespaceSelector.selectsNothing() && !namespaceSelector.selectsEverything();
  }
}
