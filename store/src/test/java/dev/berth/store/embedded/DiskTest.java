package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult.Page;
import dev.berth.store.Store.WriteResult.Written;
import dev.berth.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, read-only, or fail. */
class DiskTest {

  @TempDir Path temporary;

  private static Store open(Path directory) {
    return EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT);
  }

  private static void assertHolds(Store store, Map<String, byte[]> expected) {
    List<Entry> entries = ((Page) store.range(RangeRequest.prefix(""))).entries();
    assertThat(entries)
        .extracting(Entry::key)
        .containsExactlyInAnyOrderElementsOf(expected.keySet());
    assertThat(entries).allSatisfy(e -> assertThat(e.value()).isEqualTo(expected.get(e.key())));
  }

  @Test
  void aFullDiskRefusesWritesKeepsWhatIsThereAndGoesOnWhenSpaceIsBack() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), "32m")) {
      Path data = disk.path().resolve("data");
      var acknowledged = new HashMap<String, byte[]>();
      try (Store store = open(data)) {
        fill(store, acknowledged, 0, 100);
        Path filler = disk.fillUpTo(1 << 20);
        assertThatThrownBy(() -> fill(store, acknowledged, 100, 100_000))
            .isInstanceOf(StoreException.class)
            .hasMessage(
                "The disk that holds %s is full: free some space, then try again. Nothing of this write was kept.",
                data.toRealPath());
        long revision = store.revision();
        assertHolds(store, acknowledged);
        assertThatThrownBy(() -> fill(store, acknowledged, 100_000, 200_000))
            .isInstanceOf(StoreException.class);

        Files.delete(filler);
        fill(store, acknowledged, 200_000, 200_100);
        assertThat(store.revision()).isGreaterThan(revision);
        assertHolds(store, acknowledged);
      }
      try (Store store = open(data)) {
        assertHolds(store, acknowledged);
      }
    }
  }

  private static void fill(Store store, Map<String, byte[]> acknowledged, int from, int to) {
    var random = new SplittableRandom(from);
    for (int i = from; i < to; i++) {
      String key = "/k/" + i % 1000;
      byte[] value = SelfDescribing.value(key, random, 3_000);
      store.put(key, value, Store.ANY);
      acknowledged.put(key, value);
    }
  }

  @Test
  void closingOnAFullDiskLosesNothing() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), "32m")) {
      Path data = disk.path().resolve("data");
      var acknowledged = new HashMap<String, byte[]>();
      Path filler;
      try (Store store = open(data)) {
        fill(store, acknowledged, 0, 1_000);
        filler = disk.fillUpTo(0);
      }
      Files.delete(filler);
      try (Store store = open(data)) {
        assertHolds(store, acknowledged);
      }
    }
  }

  /**
   * What is too big for the space left must not take its neighbours of the same transaction along.
   */
  @Test
  void aWriteThatDoesNotFitDoesNotFailItsNeighbours() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), "48m")) {
      try (Store store = open(disk.path().resolve("data"));
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        disk.fillUpTo(4 << 20);
        var small = new ConcurrentHashMap<String, byte[]>();
        var running = new ArrayList<Future<?>>();
        for (int t = 0; t < 8; t++) {
          int thread = t;
          running.add(
              threads.submit(() -> {
                for (int i = 0; i < 10; i++) {
                  String key = "/small/" + thread + "/" + i;
                  byte[] value = SelfDescribing.value(key, new SplittableRandom(i), 100);
                  assertThat(store.put(key, value, Store.ANY)).isInstanceOf(Written.class);
                  small.put(key, value);
                  assertThatThrownBy(() -> store.put("/big", new byte[8 << 20], Store.ANY))
                      .isInstanceOf(StoreException.class)
                      .hasMessageContaining("is full");
                }
              }));
        }
        for (Future<?> each : running) {
          each.get();
        }
        assertHolds(store, small);
      }
    }
  }

  @Test
  void aReadOnlyDiskIsRefused() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), "16m")) {
      Path data = disk.path().resolve("data");
      open(data).close();
      disk.makeReadOnly();
      for (Path directory : List.of(data, disk.path().resolve("new"))) {
        assertThatThrownBy(() -> open(directory))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("cannot be used (Read-only file system): make it writable");
      }
    }
  }

  @Test
  void aFullDiskRefusesToOpenAStore() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), "1m")) {
      Path filler = disk.fillUpTo(0);
      Path data = disk.path().resolve("data");
      assertFull(data);
      Files.delete(filler);
      open(data).close();
      filler = disk.fillUpTo(0);
      assertFull(data);
      Files.delete(filler);
      open(data).close();
    }
  }

  private static void assertFull(Path data) {
    assertThatThrownBy(() -> open(data))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is full: free some space, then try again.");
  }

  /** A limit on file sizes makes the kernel fail a write to the log, as a broken disk would. */
  @Test
  void afterAFailedWriteNothingMoreIsWrittenButEverythingIsRead() throws Exception {
    Path data = temporary.resolve("data");
    List<String> said;
    try (Child child =
        Child.start(
            temporary,
            List.of("prlimit", "--fsize=2000000", "--"),
            FailingChild.class,
            data.toString())) {
      child.go();
      said = child.remainingLines();
      assertThat(child.exitCode()).as(said.toString()).isZero();
    }
    assertThat(said.get(1)).contains("whether this write was kept is unknown");
    assertThat(said.get(2)).contains("only reads since a write to its disk failed");
    assertThat(said.get(3)).isEqualTo("reads");
    assertThat(said.get(4)).as("by which /livez fails").isEqualTo("shows it");
    assertThat(said.subList(5, said.size()))
        .as("logged once, with its stack trace")
        .containsExactly("store: a write failed, and the store only reads from now on true");
    long acknowledged = Long.parseLong(said.getFirst());
    assertThat(acknowledged).isGreaterThan(100);
    try (Store store = open(data)) {
      assertThat(store.revision()).isGreaterThanOrEqualTo(acknowledged);
      for (Entry entry : ((Page) store.range(RangeRequest.prefix(""))).entries()) {
        assertThat(SelfDescribing.isWhole(entry.key(), entry.value())).isTrue();
      }
    }
  }
}
