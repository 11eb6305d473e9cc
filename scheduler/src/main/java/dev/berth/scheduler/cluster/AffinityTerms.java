package dev.berth.scheduler.cluster;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.AffinityTerm.Kind;
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
  public static final class Held {
    private final AffinityTerm term;
    private final NodeCounts counts = new NodeCounts();

    Held(AffinityTerm term) {
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

  private final Cluster cluster;
  private final Map<Source, PodAffinity> read = new HashMap<>();

  /** In the order in which they were first seen. */
  private final LinkedHashMap<AffinityTerm, Held> held = new LinkedHashMap<>();

  private boolean listening;

  AffinityTerms(Cluster cluster) {
    this.cluster = cluster;
  }

  /** What a pod has for and against others. */
  public PodAffinity of(PodInfo pod) {
    JsonObject affinity = pod.tree().object("spec").object("affinity");
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
    return namesLabels(affinity) ? labels : JsonObject.EMPTY;
  }

  private static boolean namesLabels(Object tree) {
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
      case JsonArray array -> array.values().stream().anyMatch(AffinityTerms::namesLabels);
      case Object _ -> false;
    };
  }

  /** The terms of a kind that pods on nodes have and that are about a pod. */
  public List<Held> about(PodInfo pod, Kind kind) {
    listen();
    List<Held> found = new ArrayList<>();
    for (Held one : held.values()) {
      if (one.term.kind() == kind && one.term.pods().matches(pod, cluster)) {
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
      cluster.listen(this);
    }
  }

  @Override
  public void added(PodInfo pod, int node) {
    for (AffinityTerm term : of(pod).terms()) {
      held.computeIfAbsent(term, Held::new).counts.add(node, 1);
    }
  }

  @Override
  public void removed(PodInfo pod, int node) {
    for (AffinityTerm term : of(pod).terms()) {
      Held one = held.get(term);
      if (one != null) {
        one.counts.add(node, -1);
        if (one.counts.total() == 0) {
          held.remove(term);
        }
      }
    }
  }
}
