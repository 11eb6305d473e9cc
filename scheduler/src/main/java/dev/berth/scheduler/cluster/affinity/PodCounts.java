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
 * Counts the pods of each group on each node, so that nobody walks over all pods to know how they
 * are spread. A group is counted by one walk when somebody first asks for it; from then on each pod
 * that comes or goes changes the groups that it is in. There is a bound to the groups; the one that
 * was not asked for the longest makes room.
 *
 * <p>A pod is compared to few groups, however many there are: groups are found by namespace and by
 * one label that their pods must have.
 */
public final class PodCounts implements PodListener {
  private static final int CAPACITY = 1_024;

  private final PlacedPods pods;
  private final NamespaceLabels known;
  private final int capacity;
  private final LinkedHashMap<PodSelection, PodCount> groups =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private final List<PodCount> anywhere = new ArrayList<>();
  private boolean listening;

  /** The groups of a namespace, by the value of one label where that is possible. */
  private static final class Namespace {
    final Map<String, Map<String, List<PodCount>>> byLabel = new HashMap<>();
    final List<PodCount> others = new ArrayList<>();
  }

  public PodCounts(PlacedPods pods, NamespaceLabels known) {
    this(pods, known, CAPACITY);
  }

  PodCounts(PlacedPods pods, NamespaceLabels known, int capacity) {
    this.pods = pods;
    this.known = known;
    this.capacity = capacity;
  }

  /**
   * The group of a selection, with its counts. Good until the next time somebody asks for a group;
   * whoever keeps something about it compares it to the one that is answered then.
   */
  public PodCount of(PodSelection selection) {
    PodCount known = groups.get(selection);
    return known == null ? make(selection) : known;
  }

  private PodCount make(PodSelection selection) {
    if (!listening) {
      listening = true;
      pods.listen(this);
    }
    PodCount group = new PodCount(selection);
    pods.forEach((pod, node) -> {
      if (selection.matches(pod, known)) {
        group.counts().add(node, 1);
      }
    });
    if (groups.size() >= capacity) {
      PodCount eldest = groups.firstEntry().getValue();
      drop(eldest);
    }
    groups.put(selection, group);
    forPlaces(selection, list -> list.add(group));
    return group;
  }

  private void drop(PodCount group) {
    groups.remove(group.selection());
    forPlaces(group.selection(), list -> list.remove(group));
  }

  /** The lists that a group is in. Any one of its terms will do, as its pods match all of them. */
  private void forPlaces(PodSelection selection, Consumer<List<PodCount>> action) {
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
      PodCount group = candidates.get(i);
      if (group.selection().matches(pod, known)) {
        group.counts().add(node, change);
      }
    }
  }

  /** Pods may be in other groups now; those are counted anew when somebody asks for them. */
  @Override
  public void namespaceChanged(String name) {
    List<PodCount> doubtful =
        groups.values().stream()
            .filter(group ->
                group.selection().terms().stream().anyMatch(PodTerm::looksAtNamespaceLabels))
            .toList();
    doubtful.forEach(this::drop);
  }
}
