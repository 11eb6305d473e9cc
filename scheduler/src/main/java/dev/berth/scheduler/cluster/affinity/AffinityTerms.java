package dev.berth.scheduler.cluster.affinity;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.affinity.AffinityTerm.Kind;
import dev.berth.scheduler.cluster.node.NodeCounts;
import dev.berth.scheduler.cluster.pod.PlacedPods;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.pod.PodListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the pods on nodes have for and against others: each distinct term with the number of pods on
 * each node that have it. So a new pod is compared to terms, of which there are few, and not to
 * pods; and where no pod has any there is nothing to compare to.
 */
public final class AffinityTerms implements PodListener {
  private static final int REMEMBERED = 4_096;

  /** A term, and how many pods have it on each node. */
  public static final class CountedTerm {
    private final AffinityTerm term;
    private final NodeCounts counts = new NodeCounts();

    CountedTerm(AffinityTerm term) {
      this.term = term;
    }

    public AffinityTerm term() {
      return term;
    }

    public NodeCounts counts() {
      return counts;
    }
  }

  /** What a pod's terms are read from. */
  private record Source(String namespace, JsonObject labels, JsonObject affinity) {}

  private final PlacedPods pods;
  private final NamespaceLabels namespaces;
  private final Map<Source, PodAffinity> read = new HashMap<>();

  /** In the order in which they were first seen. */
  private final LinkedHashMap<AffinityTerm, CountedTerm> held = new LinkedHashMap<>();

  private boolean listening;

  public AffinityTerms(PlacedPods pods, NamespaceLabels namespaces) {
    this.pods = pods;
    this.namespaces = namespaces;
  }

  /** What a pod has for and against others. */
  public PodAffinity of(PodInfo pod) {
    JsonObject affinity = pod.affinity();
    if (affinity.isEmpty() || (!affinity.has("podAffinity") && !affinity.has("podAntiAffinity"))) {
      return PodAffinity.NONE;
    }
    String namespace = pod.name().namespace();
    Source source = new Source(namespace, relevant(pod.labels(), affinity), affinity);
    PodAffinity known = read.get(source);
    if (known == null) {
      known = PodAffinity.read(namespace, pod.labels(), affinity);
      if (read.size() >= REMEMBERED) {
        read.clear();
      }
      read.put(source, known);
    }
    return known;
  }

  /** A pod's labels matter only to terms that name some of them. */
  private static JsonObject relevant(JsonObject labels, JsonObject affinity) {
    return PodAffinity.namesLabels(affinity) ? labels : JsonObject.EMPTY;
  }

  /** The terms of a kind that pods on nodes have and that are about a pod. */
  public List<CountedTerm> about(PodInfo pod, Kind kind) {
    listen();
    List<CountedTerm> found = new ArrayList<>();
    for (CountedTerm one : held.values()) {
      if (one.term.kind() == kind && one.term.pods().matches(pod, namespaces)) {
        found.add(one);
      }
    }
    return found;
  }

  /** Whether any pod on a node has any term. */
  public boolean isEmpty() {
    listen();
    return held.isEmpty();
  }

  private void listen() {
    if (!listening) {
      listening = true;
      pods.listen(this);
    }
  }

  @Override
  public void added(PodInfo pod, int node) {
    for (AffinityTerm term : of(pod).terms()) {
      held.computeIfAbsent(term, CountedTerm::new).counts.add(node, 1);
    }
  }

  @Override
  public void removed(PodInfo pod, int node) {
    for (AffinityTerm term : of(pod).terms()) {
      CountedTerm one = held.get(term);
      if (one != null) {
        one.counts.add(node, -1);
        if (one.counts.total() == 0) {
          held.remove(term);
        }
      }
    }
  }
}
