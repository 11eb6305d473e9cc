package dev.berth.sim.fuzz;

import dev.berth.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that knows its latest write of a pod, and can undo it. */
final class LatestWrite extends ForwardingStore {
  private final Store store;
  private Runnable undo = () -> {};

  LatestWrite(Store store) {
    super(store);
    this.store = store;
  }

  void undo() {
    undo.run();
  }

  @Override
  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    if (key.startsWith("/registry/pods/")) {
      Optional<Entry> before = store.get(key);
      undo =
          () -> {
            if (before.isPresent()) {
              store.put(key, before.get().value(), ANY);
            } else {
              store.delete(key, ANY);
            }
          };
    }
    return super.put(key, value, expected, view, guards);
  }
}
