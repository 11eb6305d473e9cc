package dev.berth.policy.allocation;

import dev.berth.model.core.NodeView;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.NodePlace;
import dev.berth.model.device.PoolId;
import dev.berth.model.device.ResourceSliceView;
import dev.berth.policy.affinity.NodeSelection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The devices that drivers offer, by the nodes that reach them.
 *
 * <ul>
 *   <li>A slice is for the node that it names, for those that it selects, for all, or for those
 *       that its devices say one by one. Counters that devices share are for every node.
 *   <li>Of a pool, only the newest generation counts. A pool of which slices are missing is
 *       incomplete, and none of its devices is given to anybody.
 * </ul>
 *
 * <p>Owned by one thread.
 */
public final class DeviceInventory {
  private final Map<String, ResourceSliceView> slices = new HashMap<>();
  private final Map<PoolId, Map<String, ResourceSliceView>> byPool = new HashMap<>();
  private final Map<String, Map<String, ResourceSliceView>> byNode = new HashMap<>();

  /** Slices that are not for one node alone. */
  private final Map<String, ResourceSliceView> shared = new TreeMap<>();

  /** What was worked out for nodes, while there are no shared slices. */
  private final Map<String, List<DevicePool>> known = new HashMap<>();

  /** Adds a slice, or takes note of its new revision; returns the one that it replaces. */
  public @Nullable ResourceSliceView put(ResourceSliceView slice) {
    ResourceSliceView before = remove(slice.name());
    slices.put(slice.name(), slice);
    byPool.computeIfAbsent(slice.pool(), _ -> new TreeMap<>()).put(slice.name(), slice);
    if (isLocal(slice)) {
      byNode
          .computeIfAbsent(slice.place().nodeName(), _ -> new TreeMap<>())
          .put(slice.name(), slice);
    } else {
      shared.put(slice.name(), slice);
    }
    forget(slice);
    return before;
  }

  /** Takes a slice out; returns it, or null if there was none. */
  public @Nullable ResourceSliceView remove(String name) {
    ResourceSliceView known = slices.remove(name);
    if (known == null) {
      return null;
    }
    unlink(byPool, known.pool(), name);
    unlink(byNode, known.place().nodeName(), name);
    shared.remove(name);
    forget(known);
    return known;
  }

  private static <K> void unlink(Map<K, Map<String, ResourceSliceView>> index, K key, String name) {
    Map<String, ResourceSliceView> there = index.get(key);
    if (there != null && there.remove(name) != null && there.isEmpty()) {
      index.remove(key);
    }
  }

  private static boolean isLocal(ResourceSliceView slice) {
    return !slice.place().nodeName().isEmpty() && slice.counters().isEmpty();
  }

  private void forget(ResourceSliceView slice) {
    if (!shared.isEmpty() || !isLocal(slice)) {
      known.clear();
      return;
    }
    for (ResourceSliceView other : byPool.getOrDefault(slice.pool(), Map.of()).values()) {
      known.remove(other.place().nodeName());
    }
    known.remove(slice.place().nodeName());
  }

  public @Nullable ResourceSliceView slice(String name) {
    return slices.get(name);
  }

  public boolean isEmpty() {
    return slices.isEmpty();
  }

  /** The pools that a node reaches, in the order in which they are tried. */
  List<DevicePool> pools(NodeView node) {
    Map<String, ResourceSliceView> local = byNode.getOrDefault(node.name(), Map.of());
    if (!shared.isEmpty()) {
      return gather(node, local);
    }
    return local.isEmpty()
        ? List.of()
        : known.computeIfAbsent(node.name(), _ -> gather(node, local));
  }

  private List<DevicePool> gather(NodeView node, Map<String, ResourceSliceView> local) {
    Map<PoolId, List<ResourceSliceView>> reached = new LinkedHashMap<>();
    local.values().forEach(slice -> add(reached, slice));
    for (ResourceSliceView slice : shared.values()) {
      if (isReached(slice, node)) {
        add(reached, slice);
      }
    }
    List<DevicePool> plain = new ArrayList<>();
    List<DevicePool> withConditions = new ArrayList<>();
    new TreeMap<>(reached)
        .forEach((id, newest) -> {
          DevicePool pool = pool(id, newest);
          if (pool != null) {
            (pool.hasBindingConditions() ? withConditions : plain).add(pool);
          }
        });
    plain.addAll(withConditions);
    return List.copyOf(plain);
  }

  private static void add(Map<PoolId, List<ResourceSliceView>> reached, ResourceSliceView slice) {
    List<ResourceSliceView> newest = reached.computeIfAbsent(slice.pool(), _ -> new ArrayList<>());
    long generation = newest.isEmpty() ? slice.generation() : newest.getFirst().generation();
    if (slice.generation() > generation) {
      newest.clear();
    }
    if (slice.generation() >= generation) {
      newest.add(slice);
    }
  }

  /** A pool, given the slices that a node reaches; null if there is a newer generation of it. */
  private @Nullable DevicePool pool(PoolId id, List<ResourceSliceView> reached) {
    long generation = reached.getFirst().generation();
    long count = reached.getFirst().sliceCount();
    if (reached.size() == count) {
      return DevicePool.of(id, reached, List.of());
    }
    List<ResourceSliceView> elsewhere = new ArrayList<>();
    for (ResourceSliceView slice : byPool.getOrDefault(id, Map.of()).values()) {
      if (slice.generation() > generation) {
        return null;
      }
      if (slice.generation() == generation && !reached.contains(slice)) {
        elsewhere.add(slice);
      }
    }
    return reached.size() + elsewhere.size() == count
        ? DevicePool.of(id, reached, elsewhere)
        : DevicePool.unusable(id, DevicePool.State.INCOMPLETE);
  }

  private static boolean isReached(ResourceSliceView slice, NodeView node) {
    if (!slice.counters().isEmpty()) {
      return true;
    }
    if (slice.place().isSaid()) {
      return isReached(slice.place(), node);
    }
    if (slice.perDevice()) {
      for (DeviceView device : slice.devices()) {
        if (isReached(device.place(), node)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether devices at a place can be used on a node. */
  static boolean isReached(NodePlace place, NodeView node) {
    if (!place.nodeName().isEmpty()) {
      return place.nodeName().equals(node.name());
    }
    return place.allNodes()
        || (place.nodeSelector() != null && NodeSelection.matches(place.selector(), node));
  }
}
