package dev.berth.controllers.persistentvolume;

import dev.berth.controllers.owned.KnownObjects;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All claims: by name, by the volume that they name, and those without one by class.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class KnownClaims {
  private final KnownObjects objects = new KnownObjects();
  private final Map<ObjectName, PersistentVolumeClaimView> claims = new HashMap<>();
  private final Map<String, Set<ObjectName>> open = new HashMap<>();
  private final Map<String, Set<ObjectName>> naming = new HashMap<>();

  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    objects.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told != null) {
      refresh(ObjectName.of(told));
    }
  }

  /** The server has changed a claim, of which the watch may not have told yet. */
  void written(JsonObject claim) {
    objects.written(claim);
    refresh(ObjectName.of(claim));
  }

  private void refresh(ObjectName name) {
    PersistentVolumeClaimView before = claims.remove(name);
    if (before != null) {
      remove(open, before.storageClass(), name);
      remove(naming, before.volume(), name);
    }
    Optional<PersistentVolumeClaimView> now =
        objects.get(name).map(PersistentVolumeClaimView::read);
    if (now.isPresent()) {
      PersistentVolumeClaimView claim = now.get();
      claims.put(name, claim);
      if (claim.isOpen()) {
        open.computeIfAbsent(claim.storageClass(), _ -> new LinkedHashSet<>()).add(name);
      } else if (!claim.volume().isEmpty()) {
        naming.computeIfAbsent(claim.volume(), _ -> new LinkedHashSet<>()).add(name);
      }
    }
  }

  private static void remove(Map<String, Set<ObjectName>> from, String key, ObjectName name) {
    Set<ObjectName> names = from.get(key);
    if (names != null && names.remove(name) && names.isEmpty()) {
      from.remove(key);
    }
  }

  Optional<PersistentVolumeClaimView> get(ObjectName name) {
    return Optional.ofNullable(claims.get(name));
  }

  Collection<ObjectName> all() {
    return objects.values().stream().map(ObjectName::of).toList();
  }

  /** Those of a class that have no volume and name none. */
  Collection<ObjectName> openOf(String storageClass) {
    return List.copyOf(open.getOrDefault(storageClass, Set.of()));
  }

  /** Those that name a volume. */
  Collection<ObjectName> naming(String volume) {
    return List.copyOf(naming.getOrDefault(volume, Set.of()));
  }
}
