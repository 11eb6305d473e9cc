package dev.berth.scheduler.cluster.affinity;

import dev.berth.model.selector.LabelRequirement;
import dev.berth.scheduler.cluster.pod.PlacedPods;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.pod.PodListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pods of each selection on each node, so that no decision walks over all pods. A
 * selection is counted by one walk when it is first asked for; from then on each pod that is added
 * or removed changes the counts that it is in. The number of counts is bounded: the least recently
 * used one is dropped.
 *
 * <p>A pod is compared to few selections, however many there are: they are indexed by namespace and
 * by one label that their pods must have.
 */
public final class PodCounts implements PodListener {
  private static final int MAX_COUNTS = 1_024;

  private final PlacedPods pods;
  private final NamespaceLabels namespaceLabels;
  private final int capacity;
  private final LinkedHashMap<PodSelection, PodCount> counts =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private final List<PodCount> anywhere = new ArrayList<>();
  private boolean listening;

  /** The counts of a namespace, by the value of one label where that is possible. */
  private static final class Namespace {
    final Map<String, Map<String, List<PodCount>>> byLabel = new HashMap<>();
    final List<PodCount> others = new ArrayList<>();
  }

  public PodCounts(PlacedPods pods, NamespaceLabels namespaceLabels) {
    this(pods, namespaceLabels, MAX_COUNTS);
  }

  PodCounts(PlacedPods pods, NamespaceLabels namespaceLabels, int capacity) {
    this.pods = pods;
    this.namespaceLabels = namespaceLabels;
    this.capacity = capacity;
  }

  /**
   * The count of a selection. Valid until the next call; whoever keeps something about it compares
   * it to the one that is returned then.
   */
  public PodCount of(PodSelection selection) {
    PodCount known = counts.get(selection);
    return known == null ? make(selection) : known;
  }

  private PodCount make(PodSelection selection) {
    if (!listening) {
      listening = true;
      pods.listen(this);
    }
    PodCount count = new PodCount(selection);
    pods.forEach((pod, node) -> {
      if (selection.matches(pod, namespaceLabels)) {
        count.counts().add(node, 1);
      }
    });
    if (counts.size() >= capacity) {
      PodCount eldest = counts.firstEntry().getValue();
      drop(eldest);
    }
    counts.put(selection, count);
    forLists(selection, list -> list.add(count));
    return count;
  }

  private void drop(PodCount count) {
    counts.remove(count.selection());
    forLists(count.selection(), list -> list.remove(count));
  }

  /** The lists that a count is in. Any one of its terms will do, as its pods match all of them. */
  private void forLists(PodSelection selection, Consumer<List<PodCount>> action) {
    PodTerm term = home(selection);
    if (term == null) {
      action.accept(anywhere);
      return;
    }
    LabelRequirement exact = exact(term);
    for (String name : term.namespaces()) {
      Namespace namespace = namespaces.computeIfAbsent(name, _ -> new Namespace());
      action.accept(
          exact == null
              ? namespace.others
              : namespace
                  .byLabel
                  .computeIfAbsent(exact.key(), _ -> new HashMap<>())
                  .computeIfAbsent(exact.values().getFirst(), _ -> new ArrayList<>()));
    }
  }

  /** A term that names its namespaces, preferably one that names a label's value too. */
  private static @Nullable PodTerm home(PodSelection selection) {
    PodTerm found = null;
    for (PodTerm term : selection.terms()) {
      if (term.namespaceSelector().selectsNothing() && (found == null || exact(found) == null)) {
        found = term;
      }
    }
    return found;
  }

  private static @Nullable LabelRequirement exact(PodTerm term) {
    for (LabelRequirement requirement : term.labels().requirements()) {
      if (term.labels().exactValue(requirement.key()).isPresent()
          && requirement.values().size() == 1) {
        switch (requirement.operator()) {
          case EQUALS, DOUBLE_EQUALS, IN -> {
            return requirement;
          }
          case NOT_IN, NOT_EQUALS, GREATER_THAN, LESS_THAN, EXISTS, DOES_NOT_EXIST -> {}
        }
      }
    }
    return null;
  }

  @Override
  public void added(PodInfo pod, int node) {
    change(pod, node, 1);
  }

  @Override
  public void removed(PodInfo pod, int node) {
    change(pod, node, -1);
  }

  private void change(PodInfo pod, int node, int change) {
    count(anywhere, pod, node, change);
    Namespace namespace = namespaces.get(pod.name().namespace());
    if (namespace == null) {
      return;
    }
    count(namespace.others, pod, node, change);
    for (Map.Entry<String, Map<String, List<PodCount>>> label : namespace.byLabel.entrySet()) {
      if (pod.labels().get(label.getKey()) instanceof String value) {
        count(label.getValue().getOrDefault(value, List.of()), pod, node, change);
      }
    }
  }

  private void count(List<PodCount> candidates, PodInfo pod, int node, int change) {
    for (int i = 0; i < candidates.size(); i++) {
      PodCount count = candidates.get(i);
      if (count.selection().matches(pod, namespaceLabels)) {
        count.counts().add(node, change);
      }
    }
  }

  /** Pods may match other selections now; these are counted anew when they are asked for. */
  @Override
  public void namespaceChanged(String name) {
    List<PodCount> doubtful =
        counts.values().stream()
            .filter(count ->
                count.selection().terms().stream().anyMatch(PodTerm::looksAtNamespaceLabels))
            .toList();
    doubtful.forEach(this::drop);
  }
}
