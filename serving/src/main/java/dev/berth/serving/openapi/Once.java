package dev.berth.serving.openapi;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes something when it is first asked for; whoever asks meanwhile waits. */
final class Once<T> implements Supplier<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Supplier<T> make;
  private volatile @Nullable T made;

  Once(Supplier<T> make) {
    this.make = make;
  }

  /** What was made, if somebody has asked for it. */
  Optional<T> made() {
    return Optional.ofNullable(made);
  }

  @Override
  public T get() {
    T ready = made;
    if (ready != null) {
      return ready;
    }
    lock.lock();
    try {
      ready = made;
      if (ready == null) {
        ready = make.get();
        made = ready;
      }
      return ready;
    } finally {
      lock.unlock();
    }
  }
}
