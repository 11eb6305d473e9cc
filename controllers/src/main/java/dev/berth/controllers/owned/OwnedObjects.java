package dev.berth.controllers.owned;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one resource by who controls them, and by namespace if nobody does.
 *
 * <p>What the controller did itself counts at once, before it is heard of: an object that it
 * created is there, and one that it deleted is on its way out. Otherwise a controller that looks
 * again before its watch has caught up would create the same pod twice. What is not heard of within
 * five minutes is taken back, since nobody knows what became of it.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class OwnedObjects {
  private static final Duration HEARD_OF_WITHIN = Duration.ofMinutes(5);

  private final Time time;

  /** By uid of the controller, then by uid, in the order in which they were first seen. */
  private final Map<String, Map<String, JsonObject>> owned = new HashMap<>();

  /** By namespace, then by uid: those that nobody controls. */
  private final Map<String, Map<String, JsonObject>> orphans = new HashMap<>();

  /** By uid: those that were created here and not heard of yet. */
  private final Map<String, Assumed> created = new LinkedHashMap<>();

  /** By uid: since when those are being deleted of which that was not heard yet. */
  private final Map<String, Instant> deleted = new LinkedHashMap<>();

  private record Assumed(JsonObject object, Instant since) {}

  public OwnedObjects(Time time) {
    this.time = time;
  }

  /** Takes note of what was heard; null if the object was not or is no more. */
  public void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null) {
      drop(before);
    }
    if (after != null) {
      Metadata metadata = Metadata.of(after);
      home(after).put(metadata.uid(), after);
      created.remove(metadata.uid());
      if (metadata.isBeingDeleted()) {
        deleted.remove(metadata.uid());
      }
    } else if (before != null) {
      String uid = Metadata.of(before).uid();
      created.remove(uid);
      deleted.remove(uid);
    }
  }

  private Map<String, JsonObject> home(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    return metadata
        .controller()
        .map(owner -> owned.computeIfAbsent(owner.uid(), _ -> new LinkedHashMap<>()))
        .orElseGet(() -> orphans.computeIfAbsent(metadata.namespace(), _ -> new LinkedHashMap<>()));
  }

  private void drop(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    String owner = metadata.controller().map(OwnerReference::uid).orElse("");
    Map<String, Map<String, JsonObject>> homes = owner.isEmpty() ? orphans : owned;
    String key = owner.isEmpty() ? metadata.namespace() : owner;
    Map<String, JsonObject> home = homes.get(key);
    if (home != null && home.remove(metadata.uid()) != null && home.isEmpty()) {
      homes.remove(key);
    }
  }

  /** The server has created an object, of which the watch may not have told yet. */
  public void created(JsonObject object) {
    String uid = Metadata.of(object).uid();
    if (!home(object).containsKey(uid)) {
      created.put(uid, new Assumed(object, time.now()));
      home(object).put(uid, object);
    }
  }

  /** The server has taken the deletion of an object, of which the watch may not have told yet. */
  public void deleted(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    if (home(object).containsKey(metadata.uid()) && !metadata.isBeingDeleted()) {
      deleted.put(metadata.uid(), time.now());
    }
  }

  /** The server did not take the deletion after all. */
  public void notDeleted(JsonObject object) {
    deleted.remove(Metadata.of(object).uid());
  }

  /** Whether an object is being deleted, as far as anybody here knows. */
  public boolean isBeingDeleted(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    return metadata.isBeingDeleted() || deleted.containsKey(metadata.uid());
  }

  /** The objects that a controller controls, in the order in which they were first seen. */
  public Collection<JsonObject> of(String controllerUid) {
    forgetOldAssumptions();
    return List.copyOf(owned.getOrDefault(controllerUid, Map.of()).values());
  }

  /** The same, and those of a namespace that nobody controls. */
  public Collection<JsonObject> claimable(String controllerUid, String namespace) {
    List<JsonObject> all = new ArrayList<>(of(controllerUid));
    all.addAll(orphans(namespace));
    return all;
  }

  /** The objects of a namespace that nobody controls. */
  public Collection<JsonObject> orphans(String namespace) {
    return List.copyOf(orphans.getOrDefault(namespace, Map.of()).values());
  }

  private void forgetOldAssumptions() {
    Instant oldest = time.now().minus(HEARD_OF_WITHIN);
    deleted.values().removeIf(since -> since.isBefore(oldest));
    created
        .values()
        .removeIf(assumed -> {
          boolean old = assumed.since().isBefore(oldest);
          if (old) {
            drop(assumed.object());
          }
          return old;
        });
  }
}
