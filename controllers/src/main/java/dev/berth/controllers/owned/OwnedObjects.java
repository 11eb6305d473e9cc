package dev.berth.controllers.owned;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one resource by who controls them, and by namespace if nobody does.
 *
 * <p>What the controller did itself counts at once, before it is heard of: an object that it
 * created is there, one that it changed is as it made it, and one that it deleted is on its way
 * out. Otherwise a controller that looks again before its watch has caught up would create the same
 * pod twice. What is not heard of within five minutes is taken back, since nobody knows what became
 * of it.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class OwnedObjects {
  private static final Duration HEARD_OF_WITHIN = Duration.ofMinutes(5);

  /** Objects that are gone, of which something earlier may yet be heard. */
  private static final int REMEMBERED = 10_000;

  private final Time time;
  private final Listener listener;

  /** All of them, by uid. */
  private final Map<String, JsonObject> objects = new HashMap<>();

  /** By uid of the controller, then by uid, in the order in which they were first seen. */
  private final Map<String, Map<String, JsonObject>> owned = new HashMap<>();

  /** By namespace, then by uid: those that nobody controls. */
  private final Map<String, Map<String, JsonObject>> orphans = new HashMap<>();

  /** By uid: since when those are there that were created here and not heard of yet. */
  private final Map<String, Instant> created = new LinkedHashMap<>();

  /** By uid: since when those are being deleted of which that was not heard yet. */
  private final Map<String, Instant> deleted = new LinkedHashMap<>();

  /** By uid: those whose creation may yet be answered. */
  private final Map<String, Boolean> removed = few();

  /** By uid: those that the server says are gone, of which the watch may not have told yet. */
  private final Map<String, Boolean> gone = few();

  /**
   * Told what becomes of the objects of a controller, for an index of its own. An object that
   * changes leaves as it was, and comes as it is.
   */
  public interface Listener {
    void came(String controllerUid, JsonObject object);

    void left(String controllerUid, JsonObject object);
  }

  public OwnedObjects(Time time) {
    this(
        time,
        new Listener() {
          @Override
          public void came(String controllerUid, JsonObject object) {}

          @Override
          public void left(String controllerUid, JsonObject object) {}
        });
  }

  public OwnedObjects(Time time, Listener listener) {
    this.time = time;
    this.listener = listener;
  }

  private static Map<String, Boolean> few() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
        return size() > REMEMBERED;
      }
    };
  }

  /** Takes note of what was heard; null if the object was not or is no more. */
  public void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      Metadata metadata = Metadata.of(after);
      if (gone.containsKey(metadata.uid())) {
        return;
      }
      created.remove(metadata.uid());
      if (metadata.isBeingDeleted()) {
        deleted.remove(metadata.uid());
      }
      put(metadata, after);
    } else if (before != null) {
      String uid = Metadata.of(before).uid();
      gone.remove(uid);
      remove(uid);
    }
  }

  private void put(Metadata metadata, JsonObject object) {
    String uid = metadata.uid();
    JsonObject held = objects.get(uid);
    if (held != null) {
      Metadata then = Metadata.of(held);
      if (metadata.isBefore(then)) {
        return;
      }
      if (!controllerOf(then).equals(controllerOf(metadata))) {
        leave(then);
      }
      listener.left(controllerOf(then), held);
    }
    objects.put(uid, object);
    String owner = controllerOf(metadata);
    (owner.isEmpty()
            ? orphans.computeIfAbsent(metadata.namespace(), _ -> new LinkedHashMap<>())
            : owned.computeIfAbsent(owner, _ -> new LinkedHashMap<>()))
        .put(uid, object);
    listener.came(owner, object);
  }

  private void remove(String uid) {
    created.remove(uid);
    deleted.remove(uid);
    removed.put(uid, true);
    drop(uid);
  }

  private void drop(String uid) {
    JsonObject held = objects.remove(uid);
    if (held != null) {
      leave(Metadata.of(held));
      listener.left(controllerOf(Metadata.of(held)), held);
    }
  }

  private static String controllerOf(Metadata metadata) {
    return metadata.controller().map(OwnerReference::uid).orElse("");
  }

  private void leave(Metadata metadata) {
    String owner = controllerOf(metadata);
    Map<String, Map<String, JsonObject>> homes = owner.isEmpty() ? orphans : owned;
    String key = owner.isEmpty() ? metadata.namespace() : owner;
    Map<String, JsonObject> home = homes.get(key);
    if (home != null && home.remove(metadata.uid()) != null && home.isEmpty()) {
      homes.remove(key);
    }
  }

  /** The server has created an object, of which the watch may not have told yet. */
  public void created(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    if (!objects.containsKey(metadata.uid()) && !removed.containsKey(metadata.uid())) {
      created.put(metadata.uid(), time.monotonicNow());
      put(metadata, object);
    }
  }

  /** The server has changed an object, of which the watch may not have told yet. */
  public void written(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    if (objects.containsKey(metadata.uid())) {
      put(metadata, object);
    }
  }

  /** The server has taken the deletion of an object, of which the watch may not have told yet. */
  public void deleted(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    if (objects.containsKey(metadata.uid()) && !metadata.isBeingDeleted()) {
      deleted.put(metadata.uid(), time.monotonicNow());
    }
  }

  /** The server says that an object is gone, of which the watch may not have told yet. */
  public void gone(JsonObject object) {
    String uid = Metadata.of(object).uid();
    if (objects.containsKey(uid)) {
      remove(uid);
      gone.put(uid, true);
    }
  }

  /** An object as it is known. */
  public Optional<JsonObject> get(String uid) {
    return Optional.ofNullable(objects.get(uid));
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

  /**
   * The objects that a controller controls, in the order in which they were first seen: not a copy,
   * so to be read by the task that asked for them, before it changes anything.
   */
  public Collection<JsonObject> of(String controllerUid) {
    takeBack();
    return Collections.unmodifiableCollection(owned.getOrDefault(controllerUid, Map.of()).values());
  }

  /** Those of a controller, and those of a namespace that nobody controls. */
  public Collection<JsonObject> claimable(String controllerUid, String namespace) {
    List<JsonObject> all = new ArrayList<>(of(controllerUid));
    all.addAll(orphans(namespace));
    return all;
  }

  /** The objects of a namespace that nobody controls; not a copy either. */
  public Collection<JsonObject> orphans(String namespace) {
    return Collections.unmodifiableCollection(orphans.getOrDefault(namespace, Map.of()).values());
  }

  /**
   * When something that was done here, and not heard of, will be taken back unless it is: whoever
   * relies on it looks again then. On the monotonic clock.
   */
  public Optional<Instant> takesBackAt() {
    Optional<Instant> creation = created.values().stream().findFirst();
    Optional<Instant> deletion = deleted.values().stream().findFirst();
    Instant first =
        creation
            .filter(since -> deletion.isEmpty() || since.isBefore(deletion.get()))
            .or(() -> deletion)
            .orElse(null);
    return Optional.ofNullable(first).map(since -> since.plus(HEARD_OF_WITHIN));
  }

  /** The eldest come first. */
  private void takeBack() {
    Instant now = time.monotonicNow();
    takeBack(
        deleted,
        now,
        uid -> {
          JsonObject held = objects.get(uid);
          if (held != null) {
            String owner = controllerOf(Metadata.of(held));
            listener.left(owner, held);
            listener.came(owner, held);
          }
        });
    takeBack(created, now, this::drop);
  }

  private static void takeBack(Map<String, Instant> assumed, Instant now, Consumer<String> undo) {
    Iterator<Map.Entry<String, Instant>> entries = assumed.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, Instant> eldest = entries.next();
      if (now.isBefore(eldest.getValue().plus(HEARD_OF_WITHIN))) {
        return;
      }
      entries.remove();
      undo.accept(eldest.getKey());
    }
  }
}
