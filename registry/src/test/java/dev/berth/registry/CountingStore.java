package dev.berth.registry;

import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.Topic;
import dev.berth.store.Watch;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts the entries that are read from a store. */
final class CountingStore implements Store {
  private final Store store;
  int entriesRead;

  CountingStore(Store store) {
    this.store = store;
  }

  @Override
  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    return store.put(key, value, expected, view, guards);
  }

  @Override
  public WriteResult delete(String key, long expected, List<Guard> guards) {
    return store.delete(key, expected, guards);
  }

  @Override
  public Optional<Entry> get(String key) {
    entriesRead++;
    return store.get(key);
  }

  @Override
  public RangeResult range(RangeRequest request) {
    RangeResult result = store.range(request);
    entriesRead += result instanceof RangeResult.Page page ? page.entries().size() : 0;
    return result;
  }

  @Override
  public void index(String resource, Function<Entry, String> value) {
    store.index(resource, value);
  }

  @Override
  public Watch watch(String prefix, Topic topic, long afterRevision, Runnable onReady) {
    return store.watch(prefix, topic, afterRevision, onReady);
  }

  @Override
  public long revision() {
    return store.revision();
  }

  @Override
  public long compactedRevision() {
    return store.compactedRevision();
  }

  @Override
  public long releasedRevision() {
    return store.releasedRevision();
  }

  @Override
  public void compact(long revision) {
    store.compact(revision);
  }

  @Override
  public HistoryLimits historyLimits() {
    return store.historyLimits();
  }

  @Override
  public void close() {
    store.close();
  }
}
