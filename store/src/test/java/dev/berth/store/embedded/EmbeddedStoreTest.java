package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult.Page;
import dev.berth.store.Store.RangeResult.TooOld;
import dev.berth.store.StoreContract;
import dev.berth.time.fixture.SeededTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreTest extends StoreContract {

  @TempDir Path temporary;

  @Override
  protected Store open() {
    return EmbeddedStore.open(directory(), EmbeddedStore.Options.DEFAULT);
  }

  private Path directory() {
    return temporary.resolve("data");
  }

  private void reopen() {
    store.close();
    store = open();
  }

  private List<Entry> all() {
    return ((Page) store.range(RangeRequest.prefix(""))).entries();
  }

  @SeededTest(fixed = 1, fresh = 1)
  void everythingIsThereAfterReopening(long seed) {
    var random = new SplittableRandom(seed);
    var model = new TreeMap<String, byte[]>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        String key = "/ü\0😀/" + random.nextInt(60);
        if (random.nextInt(4) == 0) {
          store.delete(key, Store.ANY);
          model.remove(key);
        } else {
          byte[] value = new byte[random.nextInt(10_000)];
          random.nextBytes(value);
          store.put(key, value, Store.ANY);
          model.put(key, value);
        }
      }
      List<Entry> before = all();
      long revision = store.revision();
      reopen();
      assertThat(store.revision()).isEqualTo(revision);
      assertThat(all()).extracting(Entry::revision).isEqualTo(revisions(before));
      assertThat(all()).extracting(Entry::key).containsExactlyElementsOf(model.keySet());
      assertThat(all()).extracting(Entry::value).containsExactlyElementsOf(model.values());
      assertThat(put("/next", "")).isGreaterThan(revision);
      model.put("/next", new byte[0]);
    }
  }

  private static List<Long> revisions(List<Entry> entries) {
    return entries.stream().map(Entry::revision).toList();
  }

  @Test
  void historyBeginsAnewWhenReopened() {
    long old = put("/a", "1");
    long last = put("/a", "2");
    reopen();
    assertThat(store.compactedRevision()).isEqualTo(last);
    assertThat(store.range(RangeRequest.prefix("/").at(old))).isEqualTo(new TooOld(last));
  }

  @Test
  void closingLeavesOneFileForTheData() throws IOException {
    put("/a", "1");
    store.close();
    try (Stream<Path> files = Files.list(directory())) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("berth.db", "acknowledged", "lock");
    }
  }

  @Test
  void onlyTheOwnerMayRead() throws IOException {
    put("/a", "1");
    assertThat(Files.getPosixFilePermissions(directory()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    try (Stream<Path> files = Files.list(directory())) {
      for (Path file : files.toList()) {
        assertThat(Files.getPosixFilePermissions(file))
            .as(file.toString())
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  @Test
  void theFilesDoNotGrowWithUpdates() throws Exception {
    byte[] value = new byte[3_000];
    var sizes = new ArrayList<Long>();
    for (int round = 0; round < 3; round++) {
      concurrently(
          32,
          writer -> {
            for (int i = 0; i < 500; i++) {
              store.put("/k/" + writer + "/" + i % 10, value, Store.ANY);
            }
          });
      sizes.add(
          Files.size(directory().resolve("berth.db"))
              + Files.size(directory().resolve("berth.db-wal")));
    }
    assertThat(sizes).allMatch(size -> size < 50 << 20);
  }

  @Test
  void aWatcherThatThrowsHarmsNobody() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    var thrown = new CompletableFuture<Throwable>();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> thrown.complete(e));
    try {
      store
          .watch(
              "/",
              store.revision(),
              () -> {
                throw new IllegalStateException("a watcher's mistake");
              })
          .poll(1);
      put("/a", "1");
      assertThat(thrown.get()).hasMessage("a watcher's mistake");
      put("/a", "2");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
