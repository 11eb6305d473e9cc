package dev.berth.controllers.selected;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pods that objects of their namespace (budgets, services) select by labels, kept as pods and
 * selectors change, so that nobody has to look through all pods.
 *
 * <ol>
 *   <li>Of each selected pod what matters is read once per revision, and whoever selects it is told
 *       only if that changed. Pods that nobody selects are not read.
 *   <li>A pod that changes is compared with the selectors that ask for one of its labels, and with
 *       those few that ask for no label in particular.
 *   <li>A selector that is new is compared with all pods of its namespace; before {@link #begin},
 *       nothing is compared at all, so that what is there at the start costs one walk.
 * </ol>
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 *
 * @param <F> what matters of a pod
 */
public final class SelectedPods<F> {
  private final Function<JsonObject, F> reader;
  private final Consumer<ObjectName> changed;
  private final Map<String, Space> spaces = new HashMap<>();
  private boolean hasBegun;

  /** A namespace. */
  private final class Space {
    final Map<String, Pod> pods = new LinkedHashMap<>();
    final Map<String, Selecting> all = new LinkedHashMap<>();
    final SelectorIndex<Selecting> index = new SelectorIndex<>();
  }

  private final class Pod {
    JsonObject tree;
    @Nullable F facts;
    List<Selecting> selectedBy = List.of();

    Pod(JsonObject tree) {
      this.tree = tree;
    }
  }

  private final class Selecting {
    final ObjectName owner;
    final LabelSelector selector;

    /** By name, in the order in which they were first selected. */
    final Map<String, F> pods = new LinkedHashMap<>();

    Selecting(ObjectName owner, LabelSelector selector) {
      this.owner = owner;
      this.selector = selector;
    }
  }

  /**
   * @param reader takes from a pod what matters
   * @param changed told who selects other pods than before, or pods that are not what they were
   */
  public SelectedPods(Function<JsonObject, F> reader, Consumer<ObjectName> changed) {
    this.reader = reader;
    this.changed = changed;
  }

  /** Begins to compare, and to tell; all that was there at the start has been heard. */
  public void begin() {
    hasBegun = true;
    spaces.values().forEach(space -> space.pods.values().forEach(pod -> match(space, pod)));
  }

  private Space space(String namespace) {
    return spaces.computeIfAbsent(namespace, _ -> new Space());
  }

  /** Says which pods of its namespace an object selects from now on. */
  public void select(ObjectName owner, LabelSelector selector) {
    Space space = space(owner.namespace());
    Selecting before = space.all.get(owner.name());
    if (before != null && before.selector.equals(selector)) {
      return;
    }
    forget(owner);
    Selecting selecting = new Selecting(owner, selector);
    space(owner.namespace()).all.put(owner.name(), selecting);
    space(owner.namespace()).index.add(selector, selecting);
    if (hasBegun) {
      for (Pod pod : space(owner.namespace()).pods.values()) {
        if (selector.matches(Metadata.of(pod.tree).labels())) {
          List<Selecting> more = new ArrayList<>(pod.selectedBy);
          more.add(selecting);
          pod.selectedBy = List.copyOf(more);
          selecting.pods.put(Metadata.of(pod.tree).name(), facts(pod));
        }
      }
      changed.accept(owner);
    }
  }

  /** An object selects nothing any more. */
  public void forget(ObjectName owner) {
    Space space = space(owner.namespace());
    Selecting gone = space.all.remove(owner.name());
    if (gone != null) {
      space.index.remove(gone.selector, gone);
      for (String name : gone.pods.keySet()) {
        Pod pod = space.pods.get(name);
        if (pod != null) {
          pod.selectedBy = pod.selectedBy.stream().filter(other -> other != gone).toList();
        }
      }
    }
    dropIfEmpty(owner.namespace(), space);
  }

  private void dropIfEmpty(String namespace, Space space) {
    if (space.pods.isEmpty() && space.all.isEmpty()) {
      spaces.remove(namespace);
    }
  }

  /** Takes note of what was heard; null if the pod was not or is no more. */
  public void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      ObjectName name = ObjectName.of(after);
      Space space = space(name.namespace());
      Pod pod = space.pods.get(name.name());
      if (pod == null) {
        pod = new Pod(after);
        space.pods.put(name.name(), pod);
        match(space, pod);
      } else {
        boolean sameLabels = Metadata.of(pod.tree).labels().equals(Metadata.of(after).labels());
        pod.tree = after;
        if (sameLabels) {
          refresh(pod);
        } else {
          match(space, pod);
        }
      }
    } else if (before != null) {
      ObjectName name = ObjectName.of(before);
      Space space = space(name.namespace());
      Pod gone = space.pods.remove(name.name());
      if (gone != null) {
        for (Selecting selecting : gone.selectedBy) {
          selecting.pods.remove(name.name());
          changed.accept(selecting.owner);
        }
      }
      dropIfEmpty(name.namespace(), space);
    }
  }

  private F facts(Pod pod) {
    F known = pod.facts;
    if (known == null) {
      known = reader.apply(pod.tree);
      pod.facts = known;
    }
    return known;
  }

  private void match(Space space, Pod pod) {
    if (!hasBegun) {
      return;
    }
    JsonObject labels = Metadata.of(pod.tree).labels();
    String name = Metadata.of(pod.tree).name();
    List<Selecting> now = space.index.matching(labels);
    for (Selecting former : pod.selectedBy) {
      if (!now.contains(former)) {
        former.pods.remove(name);
        changed.accept(former.owner);
      }
    }
    pod.selectedBy = now;
    refresh(pod);
  }

  /** Reads a pod again, and tells those to whom it is not what it was. */
  private void refresh(Pod pod) {
    pod.facts = null;
    if (pod.selectedBy.isEmpty()) {
      return;
    }
    F facts = facts(pod);
    String name = Metadata.of(pod.tree).name();
    for (Selecting selecting : pod.selectedBy) {
      F before = selecting.pods.put(name, facts);
      if (before == null || !before.equals(facts)) {
        changed.accept(selecting.owner);
      }
    }
  }

  /** The pods that an object selects, in the order in which they were first selected. */
  public Collection<F> of(ObjectName owner) {
    Space space = spaces.get(owner.namespace());
    Selecting selecting = space == null ? null : space.all.get(owner.name());
    return selecting == null
        ? List.of()
        : Collections.unmodifiableCollection(selecting.pods.values());
  }

  /** Everyone that selects a pod that an object selects: itself, if there is one, and others. */
  public Set<ObjectName> sharing(ObjectName owner) {
    Space space = spaces.get(owner.namespace());
    Selecting selecting = space == null ? null : space.all.get(owner.name());
    if (space == null || selecting == null) {
      return Set.of();
    }
    Set<ObjectName> sharing = new TreeSet<>();
    for (String name : selecting.pods.keySet()) {
      Pod pod = space.pods.get(name);
      if (pod != null) {
        pod.selectedBy.forEach(other -> sharing.add(other.owner));
      }
    }
    return sharing;
  }

  /** A pod as it was last heard of, whether anybody selects it or not. */
  public Optional<JsonObject> pod(ObjectName name) {
    Space space = spaces.get(name.namespace());
    Pod pod = space == null ? null : space.pods.get(name.name());
    return pod == null ? Optional.empty() : Optional.of(pod.tree);
  }

  /** All pods that are selected, each with everyone that selects it. */
  public void forEach(BiConsumer<ObjectName, F> action) {
    for (Space space : spaces.values()) {
      for (Selecting selecting : space.all.values()) {
        selecting.pods.values().forEach(facts -> action.accept(selecting.owner, facts));
      }
    }
  }
}
