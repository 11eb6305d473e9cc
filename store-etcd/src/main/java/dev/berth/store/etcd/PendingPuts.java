package dev.berth.store.etcd;

import dev.berth.store.Store.Entry;
import dev.berth.store.etcd.EtcdClient.KeyValue;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts of this server that etcd was asked for and that the watch has not told yet. When it tells
 * one, the entry is made of what its writer knows already, and need not be decoded.
 *
 * <p>A write is known by its bytes: equal bytes mean equal values, whoever wrote them.
 */
final class PendingPuts {

  /** One put; used by its writer and by whoever follows the watch. */
  static final class Pending {
    private final byte[] value;
    private final byte[] stored;
    private final @Nullable Function<Entry, ?> view;
    private final Map<Long, Entry> told = new ConcurrentHashMap<>(2);

    Pending(byte[] value, byte[] stored, @Nullable Function<Entry, ?> view) {
      this.value = value;
      this.stored = stored;
      this.view = view;
    }

    /** The entry that readers see, if the watch told it as this write. */
    Optional<Entry> told(long revision) {
      return Optional.ofNullable(told.get(revision));
    }
  }

  private final Map<String, List<Pending>> byKey = new ConcurrentHashMap<>();

  void add(String key, Pending pending) {
    byKey.compute(
        key,
        (_, others) -> {
          List<Pending> all = others == null ? new CopyOnWriteArrayList<>() : others;
          all.add(pending);
          return all;
        });
  }

  void remove(String key, Pending pending) {
    byKey.computeIfPresent(
        key,
        (_, all) -> {
          all.remove(pending);
          return all.isEmpty() ? null : all;
        });
  }

  /** Whether the watch has told a put of a key that looks like one that is pending. */
  boolean wasTold(String key) {
    return byKey.getOrDefault(key, List.of()).stream().anyMatch(put -> !put.told.isEmpty());
  }

  /** The entry of what the watch tells, if it was written here. */
  @Nullable Entry match(String key, KeyValue stored) {
    List<Pending> all = byKey.get(key);
    if (all == null) {
      return null;
    }
    Entry entry = null;
    for (Pending pending : all) {
      if (Arrays.equals(pending.stored, stored.value())) {
        if (entry == null) {
          entry = new Entry(key, pending.value, stored.modRevision());
          if (pending.view != null) {
            entry.view(Object.class, pending.view::apply);
          }
        }
        pending.told.put(stored.modRevision(), entry);
      }
    }
    return entry;
  }
}
