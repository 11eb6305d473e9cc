package dev.berth.store.migration;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import dev.berth.store.Keys;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import dev.berth.store.Store.WriteResult;
import dev.berth.store.StoreException;
import dev.berth.store.Unreadable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Copies all objects of one store into another, while nobody writes to either, and checks each.
 *
 * <ol>
 *   <li>Nothing is copied unless all of it can be read, and the target holds nothing else: an
 *       interrupted migration can be run again, and never mixes two clusters.
 *   <li>Before the first object is copied, the target is brought to the revision of the source, so
 *       that every object is at a higher one than any client has seen. Who asks for an older one is
 *       told that it is gone, and lists anew.
 *   <li>If anything was written to the source meanwhile, the copy is incomplete, and says so.
 *   <li>{@link #check} compares the objects of both stores one by one. Whoever wants to know what
 *       the target holds, and not what it remembers, opens it anew before.
 * </ol>
 *
 * <p>Both stores must have history enough for a range at one revision to be read page by page,
 * which they have while nobody writes.
 */
public final class StoreMigration {

  /** What was copied: how many objects, and where the target stands. */
  public record Summary(long objects, long revision) {}

  /** Beyond so many revisions, writing until the target has reached them would take too long. */
  public static final long MOST_WRITES = 1_000_000;

  private static final String ALL = "/registry/";
  private static final int PAGE = 500;

  private final Store from;
  private final Store to;

  public StoreMigration(Store from, Store to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Copies all objects.
   *
   * @throws StoreException with a sentence for the operator, if it cannot be done
   */
  public Summary copy() {
    long revision = from.revision();
    Map<String, Entry> there = new TreeMap<>();
    read(to, to.revision(), entry -> there.put(entry.key(), entry));
    long[] objects = {0};
    read(
        from,
        revision,
        entry -> {
          refuseUnreadable(entry);
          refuseOther(there.remove(entry.key()), entry);
          objects[0]++;
        });
    if (!there.isEmpty()) {
      throw otherwiseFilled(there.keySet().iterator().next());
    }
    advanceTo(revision);
    try (ParallelWrites writes = new ParallelWrites()) {
      read(from, revision, entry -> writes.add(() -> put(entry)));
    }
    refuseChanged(revision);
    return new Summary(objects[0], to.revision());
  }

  /**
   * Compares all objects.
   *
   * @throws StoreException that names the first one that is missing, different or new
   */
  public Summary check() {
    long revision = from.revision();
    Map<String, Entry> copies = new TreeMap<>();
    read(to, to.revision(), entry -> copies.put(entry.key(), entry));
    long[] objects = {0};
    read(
        from,
        revision,
        entry -> {
          Entry copy = copies.remove(entry.key());
          if (copy == null) {
            throw new StoreException("%s is missing in the copy.".formatted(entry.key()));
          }
          refuseUnreadable(copy);
          if (!isSame(entry, copy)) {
            throw new StoreException("%s differs in the copy.".formatted(entry.key()));
          }
          if (copy.revision() < entry.revision()) {
            throw new StoreException(
                "%s is at revision %d in the copy, before its revision %d: clients would take it for older."
                    .formatted(entry.key(), copy.revision(), entry.revision()));
          }
          objects[0]++;
        });
    if (!copies.isEmpty()) {
      throw new StoreException(
          "%s is in the copy alone.".formatted(copies.keySet().iterator().next()));
    }
    refuseChanged(revision);
    return new Summary(objects[0], to.revision());
  }

  private void put(Entry entry) {
    switch (to.put(entry.key(), entry.value(), Store.ABSENT)) {
      case WriteResult.Written _ -> {}
      case WriteResult.Prevented _ -> throw new IllegalStateException("nothing guards a copy");
      case WriteResult.Conflict(var current) -> {
        if (current.filter(copy -> isSame(entry, copy)).isEmpty()) {
          throw otherwiseFilled(entry.key());
        }
        // Of an earlier attempt, perhaps from before the target was at the source's revision.
        to.put(entry.key(), entry.value(), Store.ANY);
      }
    }
  }

  /** Writes and deletes until the store has taken as many revisions as it lacks. */
  private void advanceTo(long revision) {
    long missing = revision - to.revision();
    if (missing > MOST_WRITES) {
      throw new StoreException(
          ("The source is at revision %d and the target at %d, and revisions must not go back. Let the"
                  + " target begin at revision %d; an etcd that is still empty does after `etcdctl snapshot"
                  + " save` and `etcdutl snapshot restore --bump-revision %d --mark-compacted`.")
              .formatted(revision, to.revision(), revision, revision));
    }
    try (ParallelWrites writes = new ParallelWrites()) {
      for (long i = 0; i < missing; i++) {
        String name = "berth-migration-" + i % ParallelWrites.WRITERS;
        writes.add(() -> to.put(scratchKey(name), scratch(name), Store.ANY));
      }
    }
    for (int i = 0; i < Math.min(missing, ParallelWrites.WRITERS); i++) {
      var _ = to.delete(scratchKey("berth-migration-" + i), Store.ANY);
    }
  }

  private static String scratchKey(String name) {
    return ALL + "configmaps/kube-system/" + name;
  }

  private static byte[] scratch(String name) {
    return ("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\""
            + name
            + "\",\"namespace\":\"kube-system\"}}")
        .getBytes(UTF_8);
  }

  private void refuseOther(@Nullable Entry there, Entry entry) {
    if (there != null && !isSame(entry, there)) {
      throw otherwiseFilled(entry.key());
    }
  }

  private static StoreException otherwiseFilled(String key) {
    return new StoreException(
        "The target holds %s already, which is not of this cluster: name an empty one."
            .formatted(key));
  }

  private static void refuseUnreadable(Entry entry) {
    if (entry.value().length == 0 || entry.value()[0] != '{') {
      throw new StoreException(
          "%s cannot be read (%s), so nothing can be said of its copy: give the keys that it is encrypted with, or delete it."
              .formatted(entry.key(), Unreadable.of(entry).why()));
    }
  }

  private void refuseChanged(long revision) {
    if (from.revision() != revision) {
      throw new StoreException(
          "Something was written to the source meanwhile: stop all of its servers, and begin again.");
    }
  }

  /** Whether both hold the same object, however it is written. */
  private static boolean isSame(Entry entry, Entry copy) {
    if (Arrays.equals(entry.value(), copy.value())) {
      return true;
    }
    try {
      return JsonReader.object(entry.value(), JsonLimits.TRUSTED)
          .equals(JsonReader.object(copy.value(), JsonLimits.TRUSTED));
    } catch (JsonException _) {
      return false;
    }
  }

  private interface Each {
    void entry(Entry entry);
  }

  private static void read(Store store, long revision, Each each) {
    RangeRequest request = new RangeRequest(ALL, Keys.endOfPrefix(ALL), PAGE, revision);
    while (true) {
      switch (store.range(request)) {
        case RangeResult.Page(List<Entry> entries, long at, long remaining) -> {
          entries.forEach(each::entry);
          if (remaining == 0) {
            return;
          }
          request = request.after(entries.getLast().key(), at);
        }
        case RangeResult.TooOld _, RangeResult.NotYet _ ->
            throw new StoreException(
                "A store was written to while it was read: stop all servers, and begin again.");
      }
    }
  }
}
