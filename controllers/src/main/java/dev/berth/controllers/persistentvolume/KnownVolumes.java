package dev.berth.controllers.persistentvolume;

import dev.berth.controllers.owned.KnownObjects;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.VolumeMatch;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All volumes: by name, by the claim that they are promised to, and the free ones by class in the
 * order in which claims try them. A volume that is about to be bound counts as not free, so that no
 * two claims try for the same one.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class KnownVolumes {
  private final KnownObjects objects = new KnownObjects();
  private final Map<String, PersistentVolumeView> volumes = new HashMap<>();
  private final Map<String, TreeSet<PersistentVolumeView>> free = new HashMap<>();
  private final Map<ObjectName, TreeMap<String, PersistentVolumeView>> promised = new HashMap<>();
  private final Set<String> reserved = new HashSet<>();

  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    objects.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told != null) {
      refresh(ObjectName.of(told));
    }
  }

  /** The server has changed a volume, of which the watch may not have told yet. */
  void written(JsonObject volume) {
    objects.written(volume);
    refresh(ObjectName.of(volume));
  }

  private void refresh(ObjectName name) {
    PersistentVolumeView before = volumes.remove(name.name());
    if (before != null) {
      forget(before);
    }
    objects.get(name).map(PersistentVolumeView::read).ifPresent(this::note);
  }

  private void forget(PersistentVolumeView volume) {
    Set<PersistentVolumeView> others = free.get(volume.storageClass());
    if (others != null && others.remove(volume) && others.isEmpty()) {
      free.remove(volume.storageClass());
    }
    ObjectName claim = volume.claim();
    Map<String, PersistentVolumeView> same = claim == null ? null : promised.get(claim);
    if (claim != null && same != null && same.remove(volume.name()) != null && same.isEmpty()) {
      promised.remove(claim);
    }
  }

  private void note(PersistentVolumeView volume) {
    volumes.put(volume.name(), volume);
    if (volume.isFree()) {
      free.computeIfAbsent(volume.storageClass(), _ -> new TreeSet<>(VolumeMatch.ORDER))
          .add(volume);
    }
    if (volume.claim() != null) {
      promised.computeIfAbsent(volume.claim(), _ -> new TreeMap<>()).put(volume.name(), volume);
    }
  }

  Optional<PersistentVolumeView> get(String name) {
    return Optional.ofNullable(volumes.get(name));
  }

  Collection<PersistentVolumeView> all() {
    return objects.values().stream().map(tree -> volumes.get(ObjectName.of(tree).name())).toList();
  }

  /** Those that are bound or promised to claims of a name. */
  Collection<PersistentVolumeView> promisedTo(ObjectName claim) {
    TreeMap<String, PersistentVolumeView> same = promised.get(claim);
    return same == null ? List.of() : List.copyOf(same.values());
  }

  /** Those that claims of a class may have, but for those that are about to be bound. */
  Collection<PersistentVolumeView> freeOf(String storageClass) {
    TreeSet<PersistentVolumeView> all = free.get(storageClass);
    if (all == null) {
      return List.of();
    }
    if (reserved.isEmpty()) {
      return all;
    }
    return all.stream().filter(volume -> !reserved.contains(volume.name())).toList();
  }

  boolean isReserved(String name) {
    return reserved.contains(name);
  }

  void reserve(String name) {
    reserved.add(name);
  }

  void giveBack(String name) {
    reserved.remove(name);
  }
}
