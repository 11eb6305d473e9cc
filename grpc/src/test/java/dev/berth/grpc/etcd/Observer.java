package dev.berth.grpc.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.BlockingWatch;
import dev.berth.store.Store;
import dev.berth.store.Watch;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Watches a prefix and keeps all that it is told, by revision; fails if that is out of order. */
final class Observer implements AutoCloseable {
  private final SortedMap<Long, String> told = Collections.synchronizedSortedMap(new TreeMap<>());
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();
  private final BlockingWatch watch;

  Observer(Store store, String prefix, long after) {
    watch = new BlockingWatch(store, prefix, after);
    Thread.startVirtualThread(() -> run(after));
  }

  private void run(long after) {
    long last = after;
    try {
      while (true) {
        switch (watch.take(100)) {
          case Watch.Poll.Events events -> {
            for (Watch.Event event : events.events()) {
              assertThat(event.revision()).as("in order, each once").isGreaterThan(last);
              last = event.revision();
              told.put(last, text(event));
            }
          }
          case Watch.Poll.TooOld _ -> {
            end.complete(true);
            return;
          }
          case Watch.Poll.Closed _ -> {
            end.complete(false);
            return;
          }
        }
      }
    } catch (InterruptedException | RuntimeException | AssertionError e) {
      end.completeExceptionally(e);
    }
  }

  private static String text(Watch.Event event) {
    return switch (event) {
      case Watch.Event.Put put ->
          put.key() + "=" + new String(put.entry().value(), StandardCharsets.UTF_8);
      case Watch.Event.Delete delete -> delete.key() + " deleted";
    };
  }

  /** Waits until a revision was told. */
  void await(long revision) {
    while (told.isEmpty() || told.lastKey() < revision) {
      assertThat(end.isDone()).as("the watch has ended: %s", end).isFalse();
      Thread.onSpinWait();
    }
  }

  /** Waits until the watch says that it has lost its place. */
  void awaitTooOld() {
    assertThat(end.join()).as("too old").isTrue();
  }

  SortedMap<Long, String> told() {
    return new TreeMap<>(told);
  }

  @Override
  public void close() {
    watch.close();
    end.join();
  }
}
