package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.log.CapturedLog;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.StoreException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/**
 * A bug while writing: nobody waits in vain, everybody is told, and nothing acknowledged is lost.
 */
@Timeout(60)
class WriterFailureTest {
  private static final byte[] VALUE = {1};

  @TempDir Path directory;

  private Store open() {
    return EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT);
  }

  @Test
  void aBugOnTheWritersThreadIsLoggedAndShownAndRefusesWhatWaitsAndWhatComes() throws Exception {
    try (CapturedLog log = CapturedLog.from(Level.ERROR);
        Store store = open()) {
      store.put("/kept", VALUE, Store.ANY);
      CountDownLatch writing = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      // While this one writes on its own thread, others wait for the store's.
      CompletableFuture<?> first =
          CompletableFuture.runAsync(() ->
              store.put(
                  "/first",
                  VALUE,
                  Store.ANY,
                  entry -> {
                    writing.countDown();
                    awaitUninterruptibly(goOn);
                    return entry;
                  }));
      writing.await();
      CompletableFuture<String> failedOn = new CompletableFuture<>();
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread second =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> thrown.complete(e))
              .start(() ->
                  store.put(
                      "/second",
                      VALUE,
                      Store.ANY,
                      _ -> {
                        failedOn.complete(Thread.currentThread().getName());
                        throw new AssertionError("a bug");
                      }));
      while (second.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      goOn.countDown();

      first.join();
      assertThat(failedOn.join()).isEqualTo("berth-store-writer");
      assertThat(thrown.join())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("whether this write was kept is unknown");
      assertThat(store.failure())
          .hasValueSatisfying(failure -> assertThat(failure).hasMessageContaining("only reads"));
      assertThatThrownBy(() -> store.put("/third", VALUE, Store.ANY))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("only reads");
      assertThat(store.get("/first")).isPresent();
      assertThat(log.lines())
          .singleElement()
          .satisfies(line -> {
            assertThat(line.component()).isEqualTo("store");
            assertThat(line.cause()).hasRootCauseMessage("a bug");
          });
    }
    try (Store store = open()) {
      assertThat(store.get("/kept")).isPresent();
      assertThat(store.get("/first")).isPresent();
      assertThat(store.get("/second")).isEmpty();
      assertThat(store.failure()).isEmpty();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aBugOnTheThreadOfOneWhoIsAloneIsNoDifferent() {
    try (CapturedLog log = CapturedLog.from(Level.ERROR);
        Store store = open()) {
      Function<Entry, ?> bug =
          _ -> {
            throw new AssertionError("a bug");
          };
      assertThatThrownBy(() -> store.put("/alone", VALUE, Store.ANY, bug))
          .isInstanceOf(StoreException.class);
      assertThat(store.failure()).isPresent();
      assertThat(log.lines()).hasSize(1);
    }
  }
}
