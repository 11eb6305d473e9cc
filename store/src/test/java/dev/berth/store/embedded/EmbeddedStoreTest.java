package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult.Page;
import dev.berth.store.Store.RangeResult.TooOld;
import dev.berth.store.StoreContract;
import dev.berth.store.Watch;
import dev.berth.time.fixture.SeededTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
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
  void aWatchThatWritesDoNotConcernHasNoEvents() {
    Watch watch = store.watch("/a/", store.revision(), () -> {});
    assertThat(watch.mayHaveEvents()).isTrue();
    assertThat(watch.poll(1)).isInstanceOf(Watch.Poll.Events.class);
    assertThat(watch.mayHaveEvents()).isFalse();
    put("/b/1", "of others");
    assertThat(watch.mayHaveEvents()).isFalse();
    put("/a/1", "own");
    assertThat(watch.mayHaveEvents()).isTrue();
    watch.close();
  }

  @Test
  void countsWhatItMadeDurable() {
    Store.Durable before = store.durable();
    put("/a/1", "12345");
    assertThat(store.durable())
        .isEqualTo(new Store.Durable(before.transactions() + 1, before.bytes() + 5));
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

  /** Another program holds the database when a transaction is to begin, and lets go of it. */
  @Test
  void aTransactionThatCannotBeginIsTriedAgain() throws Exception {
    put("/a", "1");
    Path file = directory().resolve("berth.db");
    AtomicInteger attempts = new AtomicInteger();
    try (Connection other = Database.write(file);
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      try (var writer =
          new DatabaseWriter(
              file,
              contents(),
              Long.MAX_VALUE,
              attempt -> {
                attempts.set(attempt);
                if (attempt == 3) {
                  execute(statement, "ROLLBACK");
                }
                return true;
              })) {
        assertThat(writer.begin()).isTrue();
        writer.rollback();
      }
      assertThat(attempts).hasValue(3);

      statement.execute("BEGIN IMMEDIATE");
      try (var writer =
          new DatabaseWriter(file, contents(), Long.MAX_VALUE, attempt -> attempt < 2)) {
        assertThat(writer.begin()).isFalse();
      }
    }
    put("/a", "2");
  }

  private static DatabaseWriter.Contents contents() {
    return new DatabaseWriter.Contents(
        new HashMap<>(), new StoredForms(ValueTransformer.NONE), new Totals(2, 1, 0));
  }

  private static void execute(Statement statement, String sql) {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Who deletes the note of what was acknowledged goes on without writes that others have seen. */
  @Test
  void aRepairedStoreIsAheadOfEverythingItsClientsSaw() throws IOException {
    long seen = put("/a", "1");
    store.close();
    Files.delete(directory().resolve(Acknowledged.NAME));
    store = open();
    assertThat(store.revision()).isEqualTo(seen + 1_000_000_000);
    assertThat(put("/a", "2")).isEqualTo(seen + 1_000_000_001);
    reopen();
    assertThat(store.revision()).isEqualTo(seen + 1_000_000_001);
  }

  @Test
  void aThreadThatIsInterruptedWritesLikeAnyOther() {
    byte[] value = {1};
    Thread.currentThread().interrupt();
    store.put("/a", value, Store.ANY);
    assertThat(Thread.interrupted()).isTrue();

    store.put("/b", value, Store.ANY);
    assertThat(store.failure()).isEmpty();
  }
}
