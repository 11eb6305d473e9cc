package dev.berth.store.etcd;

import dev.berth.store.Store.Entry;
import dev.berth.store.etcd.EtcdClient.KeyValue;
import dev.berth.store.etcd.EtcdClient.Range;
import dev.berth.store.etcd.EtcdClient.RangeReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Everything that etcd holds for a store, at one revision. It is read page by page, and decoded by
 * whoever needs it.
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, and not compared
record Snapshot(Entry[] entries, long revision) {
  /** Objects of the first page, and of any: etcd looks at all keys that are left for each page. */
  private static final int FIRST = 500;

  private static final int MOST = 10_000;

  /** What a page should have: more of it is in memory several times, on both sides. */
  private static final long PAGE_BYTES = 8 << 20;

  /** For a page, which may have many megabytes. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  static Snapshot read(EtcdClient client, Keyspace keys, StoredValues values) {
    List<Entry> entries = new ArrayList<>();
    long revision = 0;
    CompletableFuture<RangeReply> asked =
        client.range(new Range(keys.from, keys.to, FIRST, revision), TIMEOUT);
    while (true) {
      RangeReply page = Replies.await(asked, TIMEOUT.plusSeconds(1));
      if (revision == 0) {
        revision = page.revision();
      }
      boolean isLast = !page.more() || page.entries().isEmpty();
      if (!isLast) {
        byte[] next = Keyspace.after(page.entries().getLast().key());
        asked = client.range(new Range(next, keys.to, next(page.entries()), revision), TIMEOUT);
      }
      for (KeyValue stored : page.entries()) {
        if (!keys.isProgress(stored.key())) {
          values.storeKey(stored.key()).ifPresent(key -> entries.add(values.encoded(key, stored)));
        }
      }
      if (isLast) {
        return new Snapshot(entries.toArray(Entry[]::new), revision);
      }
    }
  }

  /** How many to ask for next, if they are like these. */
  private static int next(List<KeyValue> page) {
    long bytes = 0;
    for (KeyValue stored : page) {
      bytes += stored.key().length + stored.value().length;
    }
    return Math.clamp(PAGE_BYTES * page.size() / Math.max(1, bytes), 1, MOST);
  }
}
