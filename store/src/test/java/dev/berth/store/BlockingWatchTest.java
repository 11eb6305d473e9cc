package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Watch.Poll;
import dev.berth.store.memory.MemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class BlockingWatchTest {

  private final MemoryStore store = new MemoryStore();

  @Test
  void waitsForEventsAndGetsAllOfThem() throws Exception {
    try (var watch = new BlockingWatch(store, "/", 1);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var taken =
          threads.submit(() -> {
            int events = 0;
            while (events < 10_000) {
              events += ((Poll.Events) watch.take(7)).events().size();
            }
            return events;
          });
      for (int i = 0; i < 10_000; i++) {
        store.put("/k", new byte[0], Store.ANY);
      }
      assertThat(taken.get()).isEqualTo(10_000);
    }
  }

  @Test
  void closingEndsAWait() throws Exception {
    var watch = new BlockingWatch(store, "/", 1);
    assertThat(endOf(watch, watch::close)).isEqualTo(new Poll.Closed());
  }

  @Test
  void closingTheStoreEndsAWait() throws Exception {
    var watch = new BlockingWatch(store, "/", 1);
    assertThat(endOf(watch, store::close)).isEqualTo(new Poll.Closed());
  }

  private static Poll endOf(BlockingWatch watch, Runnable end) throws Exception {
    var begun = new CountDownLatch(1);
    var taken = new CompletableFuture<Poll>();
    Thread.startVirtualThread(() -> {
      begun.countDown();
      try {
        taken.complete(watch.take(1));
      } catch (InterruptedException e) {
        taken.completeExceptionally(e);
      }
    });
    begun.await();
    end.run();
    return taken.get();
  }
}
