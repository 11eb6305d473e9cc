package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult.Page;
import dev.berth.store.StoreException;
import dev.berth.time.fixture.SeededTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A power failure cuts the log anywhere behind what was synced. The files of a running store are
 * copied and the copy's log is cut or torn: it must open with exactly the writes before the tear,
 * and be refused if one of those missing had been acknowledged.
 */
class TornLogTest {

  private static final int WRITES = 30;

  @TempDir Path temporary;

  /** The log's length after each write. */
  private final List<Long> lengths = new ArrayList<>();

  private final List<byte[]> values = new ArrayList<>();

  @BeforeEach
  void copyARunningStore() throws Exception {
    Path live = temporary.resolve("live");
    var random = new SplittableRandom(3);
    try (Store store = EmbeddedStore.open(live, EmbeddedStore.Options.DEFAULT)) {
      for (int i = 0; i < WRITES; i++) {
        byte[] value = SelfDescribing.value("/k", random, random.nextInt(20_000));
        values.add(value);
        store.put("/k", value, Store.ANY);
        lengths.add(Files.size(live.resolve("berth.db-wal")));
      }
      DirectoryBytes.copyLive(live, temporary.resolve("copy"));
    }
  }

  @SeededTest(fixed = 1, fresh = 1)
  void aCutInsideTheLastTransactionLosesOnlyThat(long seed) throws IOException {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 30; i++) {
      long cut = random.nextLong(lengths.get(WRITES - 2), lengths.get(WRITES - 1));
      assertHolds(WRITES - 1, torn(cut, -1), "cut at " + cut);
    }
  }

  @SeededTest(fixed = 1, fresh = 1)
  void aCutAnywhereLeavesTheTransactionsBeforeIt(long seed) throws IOException {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 30; i++) {
      long cut = random.nextLong(lengths.getLast());
      int whole = (int) lengths.stream().filter(length -> length <= cut).count();
      assertHolds(whole, torn(cut, -1), "cut at " + cut);
    }
  }

  @SeededTest(fixed = 1, fresh = 1)
  void aSectorThatWasNotWrittenEndsTheLog(long seed) throws IOException {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 30; i++) {
      long hole = random.nextLong(lengths.getFirst(), lengths.getLast()) / 512 * 512;
      int whole = (int) lengths.stream().filter(length -> length <= hole).count();
      Path directory = torn(lengths.getLast(), hole);
      try (Store store = EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT)) {
        // A sector of zeros where zeros were harms nothing, so more may be left.
        assertThat(store.revision()).as("hole at %d", hole).isGreaterThanOrEqualTo(1 + whole);
        assertPrefix(store);
      }
    }
  }

  @Test
  void missingAcknowledgedWritesAreRefused() throws IOException {
    Path directory = torn(lengths.get(WRITES - 2), -1);
    Acknowledged.open(directory, 1 + WRITES).close();
    var before = DirectoryBytes.of(directory);
    assertThatThrownBy(() -> EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ends at revision 30, but revision 31 was acknowledged");
    assertThat(DirectoryBytes.of(directory)).isEqualTo(before);
  }

  /**
   * A copy whose log ends at an offset, or has a hole, and whose newest writes were not
   * acknowledged.
   */
  private Path torn(long length, long hole) throws IOException {
    Path directory = temporary.resolve("torn");
    DirectoryBytes.copy(temporary.resolve("copy"), directory);
    try (FileChannel log =
        FileChannel.open(directory.resolve("berth.db-wal"), StandardOpenOption.WRITE)) {
      log.truncate(length);
      if (hole >= 0) {
        log.write(ByteBuffer.allocate(512), hole);
      }
    }
    Files.delete(directory.resolve("acknowledged"));
    long at = hole >= 0 ? hole : length;
    long whole = lengths.stream().filter(each -> each <= at).count();
    Acknowledged.open(directory, 1 + whole).close();
    return directory;
  }

  private void assertHolds(int writes, Path directory, String how) {
    try (Store store = EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT)) {
      assertThat(store.revision()).as(how).isEqualTo(1 + writes);
      assertPrefix(store);
    }
  }

  private void assertPrefix(Store store) {
    List<Entry> entries = ((Page) store.range(RangeRequest.prefix(""))).entries();
    int writes = (int) store.revision() - 1;
    if (writes == 0) {
      assertThat(entries).isEmpty();
    } else {
      assertThat(entries).hasSize(1);
      assertThat(entries.getFirst().value()).isEqualTo(values.get(writes - 1));
      assertThat(entries.getFirst().revision()).isEqualTo(store.revision());
    }
  }
}
