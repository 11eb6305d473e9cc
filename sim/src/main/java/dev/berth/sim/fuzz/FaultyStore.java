package dev.berth.sim.fuzz;

import dev.berth.store.Store;
import dev.berth.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A store whose medium fails now and then, before a write or after it, and which can take its
 * server down in the middle of a request; whoever observes it is told of each write that it
 * acknowledged or would have.
 */
final class FaultyStore extends ForwardingStore {
  private final RandomGenerator random;
  private final Observer observer;
  private int oneIn;
  private int writesLeft = -1;
  private Runnable onCrash = () -> {};

  /** Is told of writes at once, before anybody else. */
  @FunctionalInterface
  interface Observer {
    /**
     * A write was made.
     *
     * @param entry what the key holds now; empty if it was deleted
     */
    void written(String key, Optional<Entry> entry);
  }

  FaultyStore(Store store, RandomGenerator random, Observer observer) {
    super(store);
    this.random = random;
    this.observer = observer;
  }

  /** From now on, one write in so many fails; 0 for none. */
  void failOneIn(int writes) {
    oneIn = writes;
  }

  /** Has the server crash right after some more writes, whatever it is at. */
  void crashAfter(int writes, Runnable crash) {
    writesLeft = writes;
    onCrash = crash;
  }

  /** The server is up again. */
  void reopen() {
    writesLeft = -1;
  }

  private void beforeWrite() {
    if (writesLeft == 0 || fails()) {
      throw failed();
    }
  }

  private WriteResult written(String key, WriteResult result) {
    if (!(result instanceof WriteResult.Written written)) {
      return result;
    }
    observer.written(key, written.entry());
    if (writesLeft > 0) {
      writesLeft--;
      if (writesLeft == 0) {
        onCrash.run();
        throw failed();
      }
    }
    if (fails()) {
      throw failed();
    }
    return result;
  }

  private static StoreException failed() {
    return new StoreException("The disk did not answer in time. Look at the machine's log.");
  }

  private boolean fails() {
    return oneIn > 0 && random.nextInt(oneIn) == 0;
  }

  @Override
  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    beforeWrite();
    return written(key, super.put(key, value, expected, view, guards));
  }

  @Override
  public WriteResult delete(String key, long expected, List<Guard> guards) {
    beforeWrite();
    return written(key, super.delete(key, expected, guards));
  }
}
