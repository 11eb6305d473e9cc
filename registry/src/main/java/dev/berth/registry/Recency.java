package dev.berth.registry;

import dev.berth.registry.status.StatusException;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import java.util.function.Supplier;

/**
 * Whether what is read is new enough, where several servers share a store. What another server
 * wrote comes a moment later; a write that was decided without it is found out by the store, but a
 * refusal is not, nor that nothing had to be done. So those are decided once more, when everything
 * has come. Where nobody else writes, none of it costs anything.
 */
final class Recency {
  private final Store store;

  Recency(Store store) {
    this.store = store;
  }

  /** Decides, and once more if it was refused without what others wrote elsewhere. */
  <T> T decide(Supplier<T> decision) {
    long seen = store.revision();
    try {
      return decision.get();
    } catch (StatusException e) {
      if (!store.isShared()) {
        throw e;
      }
      store.sync();
      if (store.revision() == seen) {
        throw e;
      }
    }
    return decision.get();
  }

  /** Whether an entry still is what its key holds, wherever that was written. */
  boolean isCurrent(Entry entry) {
    if (!store.isShared()) {
      return true;
    }
    store.sync();
    return store.get(entry.key()).filter(now -> now.revision() == entry.revision()).isPresent();
  }

  /** Waits until a revision can be read, if it is one that another server has told. */
  void await(long revision) {
    if (store.isShared() && Long.compareUnsigned(revision, store.revision()) > 0) {
      store.sync();
    }
  }
}
