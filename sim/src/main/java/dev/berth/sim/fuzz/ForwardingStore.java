package dev.berth.sim.fuzz;

import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.Topic;
import dev.berth.store.Watch;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that has another do everything, for those that change some of it. */
abstract class ForwardingStore implements Store {
  private final Store store;

  ForwardingStore(Store store) {
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
    return store.get(key);
  }

  @Override
  public RangeResult range(RangeRequest request) {
    return store.range(request);
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
