package dev.berth.controllers.attachdetach;

import dev.berth.metrics.Family;
import dev.berth.metrics.Gauge;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.AttachableVolume;
import dev.berth.policy.attachment.NodeVolumes;
import dev.berth.policy.attachment.VolumeNeed;
import dev.berth.policy.attachment.VolumeResolver;
import dev.berth.policy.attachment.VolumeResolver.Resolution;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes pods need on which nodes, and which are attached where. Everything can be found by
 * what may change about it, so that no event makes anybody walk over all pods or nodes; a driver
 * that begins or ceases to attach is the exception.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class VolumeIndex {
  private final VolumeResolver known = new VolumeResolver();
  private final Consumer<ObjectName> touched;
  private final Family<Gauge> totals;
  private final Map<ObjectName, TrackedVolume> volumes = new LinkedHashMap<>();

  /** By uid. */
  private final Map<String, TrackedPod> pods = new LinkedHashMap<>();

  private final Map<ObjectName, Set<TrackedPod>> podsByClaim = new HashMap<>();
  private final Map<String, Set<TrackedPod>> podsByNode = new HashMap<>();
  private final Map<String, NodeVolumes> nodes = new HashMap<>();
  private final Map<String, Map<ObjectName, TrackedPlace>> placesByNode = new HashMap<>();

  /**
   * @param touched told which volume is to be reconciled
   */
  VolumeIndex(Metrics metrics, Consumer<ObjectName> touched) {
    this.touched = touched;
    this.totals =
        metrics.gauges(
            "attachdetach_controller_total_volumes",
            "Number of volumes in A/D Controller",
            "plugin_name",
            "state");
  }

  Collection<TrackedVolume> volumes() {
    return Collections.unmodifiableCollection(volumes.values());
  }

  @Nullable TrackedVolume volume(ObjectName key) {
    return volumes.get(key);
  }

  /** Null if there is no such node. */
  @Nullable NodeVolumes node(String name) {
    return nodes.get(name);
  }

  Set<String> nodes() {
    return Collections.unmodifiableSet(nodes.keySet());
  }

  /** The volumes that a node has or wants, by their keys. */
  Map<ObjectName, TrackedPlace> places(String node) {
    return Collections.unmodifiableMap(placesByNode.getOrDefault(node, Map.of()));
  }

  void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.claimChanged(before, after);
    JsonObject told = after == null ? before : after;
    if (told != null) {
      understandUsersOf(ObjectName.of(told));
    }
  }

  /** A PersistentVolume changed: those who use it, and its attachments, may be others now. */
  void volumeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.volumeChanged(before, after);
    if (before != null) {
      understandUsersOf(VolumeResolver.claimOf(before));
    }
    if (after != null) {
      understandUsersOf(VolumeResolver.claimOf(after));
      AttachableVolume now = known.volume(Metadata.of(after).name());
      TrackedVolume tracked = now == null ? null : volumes.get(key(now));
      if (tracked != null) {
        tracked.volume = now;
        touched.accept(tracked.key);
      }
    }
  }

  void driverChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.driverChanged(before, after);
    List.copyOf(pods.values()).forEach(this::understand);
  }

  private void understandUsersOf(ObjectName claim) {
    List.copyOf(podsByClaim.getOrDefault(claim, Set.of())).forEach(this::understand);
  }

  void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      TrackedPod pod = before == null ? null : pods.remove(Metadata.of(before).uid());
      if (pod != null) {
        pod.claims.forEach(use -> remove(podsByClaim, use.claim(), pod));
        remove(podsByNode, pod.node, pod);
        note(pod, List.of());
      }
      return;
    }
    String uid = Metadata.of(after).uid();
    TrackedPod pod = pods.get(uid);
    if (pod == null) {
      List<PodClaim> claims = PodClaim.of(after);
      if (claims.isEmpty()) {
        return;
      }
      TrackedPod made = new TrackedPod(after, claims);
      pod = made;
      pods.put(uid, made);
      claims.forEach(use -> add(podsByClaim, use.claim(), made));
      add(podsByNode, made.node, made);
    }
    pod.tree = after;
    understand(pod);
  }

  private static <K> void add(Map<K, Set<TrackedPod>> index, K key, TrackedPod pod) {
    index.computeIfAbsent(key, _ -> new LinkedHashSet<>(2)).add(pod);
  }

  private static <K> void remove(Map<K, Set<TrackedPod>> index, K key, TrackedPod pod) {
    Set<TrackedPod> there = index.get(key);
    if (there != null && there.remove(pod) && there.isEmpty()) {
      index.remove(key);
    }
  }

  /** Finds out which volumes a pod needs. */
  private void understand(TrackedPod pod) {
    for (PodClaim use : pod.claims) {
      switch (known.resolve(use)) {
        case Resolution.Attachable(AttachableVolume volume) -> pod.volumes.put(use, volume);
        case Resolution.Local _ -> pod.volumes.remove(use);
        case Resolution.Pending _ -> {}
      }
    }
    NodeVolumes node = nodes.get(pod.node);
    boolean needed = VolumeNeed.isNeeded(pod.tree, node != null && node.keepsTerminated());
    note(pod, needed ? List.copyOf(new LinkedHashSet<>(pod.volumes.values())) : List.of());
  }

  /** Notes a pod at the places of these volumes, and no others. */
  private void note(TrackedPod pod, List<AttachableVolume> needed) {
    List<ObjectName> keys = needed.stream().map(VolumeIndex::key).toList();
    for (ObjectName key : pod.noted) {
      TrackedVolume volume = volumes.get(key);
      TrackedPlace place = volume == null ? null : volume.places.get(pod.node);
      if (!keys.contains(key) && volume != null && place != null) {
        place.pods.remove(pod.uid);
        if (place.pods.isEmpty()) {
          count(key, "desired_state_of_world", false);
        }
        forgetIfEmpty(volume, place);
        touched.accept(key);
      }
    }
    for (int i = 0; i < needed.size(); i++) {
      TrackedVolume volume = volumeOf(keys.get(i));
      volume.volume = needed.get(i);
      TrackedPlace place = place(volume, pod.node);
      if (place.pods.isEmpty()) {
        count(volume.key, "desired_state_of_world", true);
      }
      if (place.pods.put(pod.uid, pod) == null) {
        touched.accept(volume.key);
      }
    }
    pod.noted = keys;
  }

  /** The key of a volume. */
  static ObjectName key(AttachableVolume volume) {
    return new ObjectName(volume.driver(), volume.handle());
  }

  /** The volume of a PersistentVolume; null if that was not heard of, or is of no driver. */
  @Nullable AttachableVolume known(String persistentVolume) {
    return known.volume(persistentVolume);
  }

  /** The key of a volume of which only the name of its PersistentVolume is sure. */
  ObjectName key(String persistentVolume) {
    AttachableVolume volume = known.volume(persistentVolume);
    return volume == null ? ObjectName.of(persistentVolume) : key(volume);
  }

  private TrackedVolume volumeOf(ObjectName key) {
    return volumes.computeIfAbsent(key, TrackedVolume::new);
  }

  private TrackedPlace place(TrackedVolume volume, String node) {
    TrackedPlace place = volume.places.computeIfAbsent(node, TrackedPlace::new);
    placesByNode.computeIfAbsent(node, _ -> new TreeMap<>()).put(volume.key, place);
    return place;
  }

  private void forgetIfEmpty(TrackedVolume volume, TrackedPlace place) {
    if (!place.isEmpty()) {
      return;
    }
    volume.places.remove(place.node);
    Map<ObjectName, TrackedPlace> there = placesByNode.get(place.node);
    if (there != null && there.remove(volume.key) != null && there.isEmpty()) {
      placesByNode.remove(place.node);
    }
    if (volume.places.isEmpty()) {
      volumes.remove(volume.key);
    }
  }

  /** Notes an attachment at its place. */
  void put(TrackedAttachment attachment, String persistentVolume, boolean isNew) {
    TrackedVolume volume = volumeOf(attachment.volume);
    if (volume.volume == null) {
      volume.volume = known.volume(persistentVolume);
    }
    place(volume, attachment.node).attachment = attachment;
    if (isNew) {
      count(volume.key, "actual_state_of_world", true);
    }
    touched.accept(volume.key);
  }

  /** Takes an attachment from its place. */
  void remove(TrackedAttachment attachment) {
    TrackedVolume volume = volumes.get(attachment.volume);
    TrackedPlace place = volume == null ? null : volume.places.get(attachment.node);
    if (volume != null && place != null) {
      place.attachment = null;
      place.unneededSince = null;
      count(volume.key, "actual_state_of_world", false);
      forgetIfEmpty(volume, place);
      touched.accept(volume.key);
    }
  }

  private void count(ObjectName key, String state, boolean more) {
    Gauge gauge = totals.with(AttachableVolume.plugin(key.namespace()), state);
    if (more) {
      gauge.increment();
    } else {
      gauge.decrement();
    }
  }

  /**
   * Takes note of a node.
   *
   * @param state null if it is no more
   * @return whether anything changed that matters
   */
  boolean nodeChanged(String name, @Nullable NodeVolumes state) {
    NodeVolumes before = state == null ? nodes.remove(name) : nodes.put(name, state);
    if (state == null ? before == null : state.equals(before)) {
      return false;
    }
    boolean kept = before != null && before.keepsTerminated();
    if (kept != (state != null && state.keepsTerminated())) {
      List.copyOf(podsByNode.getOrDefault(name, Set.of())).forEach(this::understand);
    }
    places(name).keySet().forEach(touched);
    return true;
  }
}
