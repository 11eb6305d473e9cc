package dev.berth.controllers.owned;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
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
  private final Map<String, Held> objects = new HashMap<>();

  /** By uid of the controller, then by uid, in the order in which they were first seen. */
  private final Map<String, Map<String, Held>> owned = new HashMap<>();

  /** By namespace, then by uid: those that nobody controls. */
  private final Map<String, Map<String, Held>> orphans = new HashMap<>();

  /** By uid: since when those are there that were created here and not heard of yet. */
  private final Map<String, Instant> created = new LinkedHashMap<>();

  /** By uid: since when those are being deleted of which that was not heard yet. */
  private final Map<String, Instant> deleted = new LinkedHashMap<>();

  /** By uid: those whose creation may yet be answered. */
  private final Map<String, Boolean> removed = few();

  /** By uid: those that the server says are gone, of which the watch may not have told yet. */
  private final Map<String, Boolean> gone = few();

  /** An object as it is known, wherever it is found: most changes are of nothing but its state. */
  private static final class Held {
    JsonObject tree;

    Held(JsonObject tree) {
      this.tree = tree;
    }
  }

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
    String owner = controllerOf(metadata);
    Held held = objects.get(uid);
    if (held == null) {
      held = new Held(object);
      objects.put(uid, held);
      home(owner, metadata).put(uid, held);
      listener.came(owner, object);
      return;
    }
    Metadata then = Metadata.of(held.tree);
    if (metadata.isBefore(then)) {
      return;
    }
    String former = controllerOf(then);
    boolean changesHands = !former.equals(owner);
    if (changesHands) {
      leave(then);
    }
    listener.left(former, held.tree);
    held.tree = object;
    if (changesHands) {
      home(owner, metadata).put(uid, held);
    }
    listener.came(owner, object);
  }

  private Map<String, Held> home(String owner, Metadata metadata) {
    return owner.isEmpty()
        ? orphans.computeIfAbsent(metadata.namespace(), _ -> new LinkedHashMap<>())
        : owned.computeIfAbsent(owner, _ -> new LinkedHashMap<>());
  }

  private void remove(String uid) {
    created.remove(uid);
    deleted.remove(uid);
    removed.put(uid, true);
    drop(uid);
  }

  private void drop(String uid) {
    Held held = objects.remove(uid);
    if (held != null) {
      Metadata metadata = Metadata.of(held.tree);
      leave(metadata);
      listener.left(controllerOf(metadata), held.tree);
    }
  }

  private static String controllerOf(Metadata metadata) {
    String uid = metadata.controllerUid();
    return uid == null ? "" : uid;
  }

  private void leave(Metadata metadata) {
    String owner = controllerOf(metadata);
    Map<String, Map<String, Held>> homes = owner.isEmpty() ? orphans : owned;
    String key = owner.isEmpty() ? metadata.namespace() : owner;
    Map<String, Held> home = homes.get(key);
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
    return Optional.ofNullable(objects.get(uid)).map(held -> held.tree);
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
    return trees(owned.getOrDefault(controllerUid, Map.of()).values());
  }

  /** Those of a controller, and those of a namespace that nobody controls. */
  public Collection<JsonObject> claimable(String controllerUid, String namespace) {
    List<JsonObject> all = new ArrayList<>(of(controllerUid));
    all.addAll(orphans(namespace));
    return all;
  }

  /** The objects of a namespace that nobody controls; not a copy either. */
  public Collection<JsonObject> orphans(String namespace) {
    return trees(orphans.getOrDefault(namespace, Map.of()).values());
  }

  private static Collection<JsonObject> trees(Collection<Held> of) {
    return new AbstractCollection<>() {
      @Override
      public Iterator<JsonObject> iterator() {
        Iterator<Held> all = of.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return all.hasNext();
          }

          @Override
          public JsonObject next() {
            return all.next().tree;
          }
        };
      }

      @Override
      public int size() {
        return of.size();
      }
    };
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
          Held held = objects.get(uid);
          if (held != null) {
            String owner = controllerOf(Metadata.of(held.tree));
            listener.left(owner, held.tree);
            listener.came(owner, held.tree);
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
