package dev.berth.store.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult.Page;
import dev.berth.store.Store.WriteResult.Written;
import dev.berth.store.StoreException;
import dev.berth.store.Watch;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.fixture.SeededTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path temporary;

  private Path data() {
    return temporary.resolve("data");
  }

  private Path file() {
    return temporary.resolve("backup.db");
  }

  private static Store open(Path directory) {
    return EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT);
  }

  private static List<Entry> all(Store store) {
    return ((Page) store.range(RangeRequest.prefix(""))).entries();
  }

  private static long put(Store store, String key, String value) {
    return ((Written) store.put(key, value.getBytes(UTF_8), Store.ANY)).revision();
  }

  private void fill(int objects) {
    try (Store store = open(data())) {
      for (int i = 0; i < objects; i++) {
        put(store, "/k/" + i, "value " + i);
      }
    }
  }

  @FunctionalInterface
  private interface Copying {
    void run() throws Exception;
  }

  @Test
  void theKeysOfTheClusterGoWithItsObjects() throws IOException {
    fill(3);
    Path keys = Files.createDirectory(data().resolve("pki"));
    Files.writeString(keys.resolve("ca.key"), "secret");
    Files.writeString(keys.resolve("ca.crt"), "public");
    assertThat(Backup.backup(data(), file()).objects()).isEqualTo(3);
    assertThat(mode(file())).isEqualTo("rw-------");

    Path restored = temporary.resolve("restored");
    assertThat(Backup.restore(file(), restored, NOW).objects()).isEqualTo(3);
    assertThat(restored.resolve("pki/ca.key")).hasContent("secret");
    assertThat(restored.resolve("pki/ca.crt")).hasContent("public");
    assertThat(mode(restored.resolve("pki/ca.key"))).isEqualTo("rw-------");
    assertThat(mode(restored.resolve("pki"))).isEqualTo("rwx------");
    try (Store store = open(restored)) {
      assertThat(all(store)).extracting(Entry::key).containsExactly("/k/0", "/k/1", "/k/2");
    }
    assertThat(Files.readString(restored.resolve("berth.db"), ISO_8859_1)).doesNotContain("secret");
  }

  @Test
  void aRestoreThatWasInterruptedAfterTheKeysCanBeRunAgain() throws IOException {
    fill(3);
    Files.writeString(Files.createDirectory(data().resolve("pki")).resolve("ca.key"), "secret");
    Backup.backup(data(), file());
    Path restored = Files.createDirectory(temporary.resolve("restored"));
    Files.writeString(restored.resolve("berth.db.restoring"), "half");
    Files.writeString(Files.createDirectory(restored.resolve("pki")).resolve("ca.key"), "ha");
    Backup.restore(file(), restored, NOW);
    assertThat(restored.resolve("pki/ca.key")).hasContent("secret");
  }

  @Test
  void keysThatAreThereAlreadyAreNotOverwritten() throws IOException {
    fill(3);
    Files.writeString(Files.createDirectory(data().resolve("pki")).resolve("ca.key"), "secret");
    Backup.backup(data(), file());
    Path restored = Files.createDirectory(temporary.resolve("restored"));
    Files.createDirectory(restored.resolve("pki"));
    assertRefused(() -> Backup.restore(file(), restored, NOW), "is not empty (it holds pki)");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  /** Such as one on etcd. */
  @Test
  void aStoreOfAnotherKindIsBackedUpWithItsRevisionsAndTheKeys() throws IOException {
    Files.createDirectories(data().resolve("pki"));
    Files.writeString(data().resolve("pki/ca.key"), "secret");
    MemoryStore other = new MemoryStore();
    put(other, "/registry/configmaps/default/a", "{\"n\":1}");
    long last = put(other, "/registry/configmaps/default/b", "{\"n\":2}");
    put(other, "/elsewhere", "{}");
    assertThat(Backup.backup(other, ValueTransformer.NONE, data(), file()))
        .isEqualTo(new Backup.Summary(2, other.revision(), Files.size(file())));

    try (BackupContents contents = BackupContents.open(file(), ValueTransformer.NONE)) {
      assertThat(contents.revision()).isEqualTo(other.revision());
      assertThat(all(contents)).extracting(Entry::revision).containsExactly(last - 1, last);
      Path keys = temporary.resolve("keys");
      contents.writeFiles(keys);
      // Once more, as after an interruption.
      contents.writeFiles(keys);
      assertThat(keys.resolve("pki/ca.key")).hasContent("secret");
      Files.writeString(keys.resolve("pki/ca.key"), "of another cluster");
      assertRefused(() -> contents.writeFiles(keys), "holds other keys than the backup");
    }
    Path restored = temporary.resolve("restored");
    assertThat(Backup.restore(file(), restored, NOW).objects()).isEqualTo(2);
    try (Store store = open(restored)) {
      assertThat(all(store)).extracting(Entry::revision).containsExactly(last - 1, last);
      assertThat(store.revision()).isGreaterThanOrEqualTo(last + Backup.REVISIONS_SKIPPED);
    }
  }

  @Test
  void whatCannotBeReadIsNamedRatherThanLeftOut() throws IOException {
    Files.createDirectories(data().resolve("pki"));
    MemoryStore other = new MemoryStore();
    put(other, "/registry/secrets/default/a", "k8s:enc:aescbc:v1:k:junk");
    assertRefused(
        () -> Backup.backup(other, ValueTransformer.NONE, data(), file()),
        "/registry/secrets/default/a cannot be read");
    assertThat(file()).doesNotExist();
  }

  @Test
  void copiesASnapshotWhileOthersWrite() throws Exception {
    whileOthersWrite(() -> {
      Backup.Summary summary = Backup.backup(data(), file());
      assertThat(summary.bytes()).isEqualTo(Files.size(file()));
    });
  }

  @Test
  void copiesFromAnotherProcessWhileOthersWrite() throws Exception {
    whileOthersWrite(() -> {
      try (Child child =
          Child.start(
              temporary, List.of(), BackupChild.class, data().toString(), file().toString())) {
        assertThat(child.line()).startsWith("Summary[");
        assertThat(child.exitCode()).isZero();
      }
    });
  }

  /**
   * Eight writers count up on keys of their own, each key in step with the one before it. A
   * consistent copy holds every count acknowledged before it began, and no later key is ahead of an
   * earlier one.
   */
  private void whileOthersWrite(Copying copying) throws Exception {
    var acknowledged = new ConcurrentHashMap<String, Integer>();
    var stop = new AtomicBoolean();
    try (Store store = open(data());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int w = 0; w < 8; w++) {
        String writer = "/" + w + "/";
        threads.execute(() -> {
          for (int count = 1; !stop.get(); count++) {
            for (String key : List.of(writer + "a", writer + "b")) {
              put(store, key, Integer.toString(count));
              acknowledged.put(key, count);
            }
          }
        });
      }
      while (acknowledged.size() < 16) {
        Thread.onSpinWait();
      }
      Map<String, Integer> before = Map.copyOf(acknowledged);
      try {
        copying.run();
      } finally {
        stop.set(true);
      }
      Path restored = temporary.resolve("restored");
      Backup.restore(file(), restored, NOW);
      try (Store copy = open(restored)) {
        before.forEach((key, count) -> assertThat(count(copy, key)).isGreaterThanOrEqualTo(count));
        for (int w = 0; w < 8; w++) {
          int first = count(copy, "/" + w + "/a");
          assertThat(count(copy, "/" + w + "/b")).isBetween(first - 1, first);
        }
      }
    }
    try (Store store = open(data())) {
      acknowledged.forEach((key, count) -> assertThat(count(store, key)).isEqualTo(count));
    }
  }

  private static int count(Store store, String key) {
    return Integer.parseInt(new String(store.get(key).orElseThrow().value(), UTF_8));
  }

  @Test
  void restoresWhatWasBackedUp() throws IOException {
    fill(500);
    Backup.Summary backedUp = Backup.backup(data(), file());
    assertThat(backedUp).isEqualTo(new Backup.Summary(500, 501, Files.size(file())));
    Path restored = temporary.resolve("a new/directory");
    Backup.Summary summary = Backup.restore(file(), restored, NOW);
    assertThat(summary.objects()).isEqualTo(500);
    try (Store before = open(data());
        Store after = open(restored)) {
      assertThat(all(after)).hasSameSizeAs(all(before));
      for (Entry entry : all(before)) {
        Entry copy = after.get(entry.key()).orElseThrow();
        assertThat(copy.value()).isEqualTo(entry.value());
        assertThat(copy.revision()).isEqualTo(entry.revision());
      }
    }
  }

  @Test
  void aRestoredStoreIsAheadOfEverythingItsClientsSaw() {
    fill(10);
    long backedUp = Backup.backup(data(), file()).revision();
    Path restored = temporary.resolve("restored");
    Backup.restore(file(), restored, NOW);
    long seen;
    try (Store store = open(restored)) {
      assertThat(store.revision()).isEqualTo(NOW.getEpochSecond() * 1_000_000);
      assertThat(store.compactedRevision()).isEqualTo(store.revision());
      assertThat(store.watch("/", backedUp + 1_000, () -> {}).poll(1))
          .isInstanceOf(Watch.Poll.TooOld.class);
      seen = put(store, "/next", "");
    }
    // The same backup once more: what was written after the first time has been seen too.
    Path again = temporary.resolve("again");
    Backup.restore(file(), again, NOW.plusSeconds(1));
    try (Store store = open(again)) {
      assertThat(store.revision()).isGreaterThan(seen);
    }
  }

  @Test
  void aRestoredStoreIsAheadAlsoIfTheClockIsWrong() {
    fill(10);
    long backedUp = Backup.backup(data(), file()).revision();
    Path restored = temporary.resolve("restored");
    Backup.restore(file(), restored, Instant.EPOCH);
    try (Store store = open(restored)) {
      assertThat(store.revision()).isEqualTo(backedUp + 1_000_000_000);
    }
  }

  @Test
  void neverOverwritesAFile() throws IOException {
    fill(1);
    Files.writeString(file(), "precious");
    assertRefused(() -> Backup.backup(data(), file()), "exists already and is not overwritten");
    assertThat(file()).hasContent("precious");
  }

  @Test
  void leavesNoPartialFileBehind() throws IOException {
    fill(1);
    Backup.backup(data(), file());
    try (Stream<Path> files = Files.list(temporary)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("data", "backup.db");
    }
  }

  @Test
  void refusesToBackUpWhatIsNoStore() throws IOException {
    assertRefused(() -> Backup.backup(temporary, file()), "There is no store in " + temporary);
    fill(1);
    assertRefused(
        () -> Backup.backup(data(), temporary.resolve("none/x.db")), "does not exist: create it");
  }

  @Test
  void restoresOnlyIntoAnEmptyDirectory() throws IOException {
    fill(1);
    Backup.backup(data(), file());
    var before = DirectoryBytes.of(data());
    assertRefused(
        () -> Backup.restore(file(), data(), NOW), "is not empty (it holds acknowledged)");
    assertThat(DirectoryBytes.of(data())).isEqualTo(before);
  }

  @Test
  void anInterruptedRestoreDoesNotOpenAndCanBeRunAgain() throws IOException {
    fill(3);
    Backup.backup(data(), file());
    Path restored = temporary.resolve("restored");
    Files.createDirectories(restored);
    Files.writeString(restored.resolve("berth.db.restoring"), "half");
    assertRefused(() -> open(restored), "was interrupted: run it again");
    assertThat(Backup.restore(file(), restored, NOW).objects()).isEqualTo(3);
    open(restored).close();
  }

  @SeededTest(fixed = 1, fresh = 1)
  void refusesDamagedAndForeignBackups(long seed) throws Exception {
    fill(50);
    Backup.backup(data(), file());
    byte[] sound = Files.readAllBytes(file());
    Path restored = temporary.resolve("restored");
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = sound.clone();
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file(), bytes);
      assertRefusedOrExact(restored);
    }
    for (int length : new int[] {0, 1, 100, 4096, sound.length / 2, sound.length - 1}) {
      Files.write(file(), Arrays.copyOf(sound, length));
      assertThatThrownBy(() -> Backup.restore(file(), restored, NOW))
          .isInstanceOf(StoreException.class);
    }
    Files.writeString(file(), "This is a letter to my aunt. ".repeat(200));
    assertRefused(() -> Backup.restore(file(), restored, NOW), "is not a Berth store");
    assertRefused(
        () -> Backup.restore(temporary.resolve("none"), restored, NOW), "There is no backup");
    assertThat(restored).doesNotExist();
  }

  /** A flip in a page's unused part changes nothing; any other is refused. */
  private void assertRefusedOrExact(Path restored) throws IOException {
    try {
      Backup.restore(file(), restored, NOW);
    } catch (StoreException e) {
      assertThat(e).hasMessageStartingWith(file().toString());
      return;
    }
    try (Store store = open(restored)) {
      assertThat(all(store)).hasSize(50);
      for (Entry entry : all(store)) {
        assertThat(new String(entry.value(), UTF_8)).isEqualTo("value " + entry.key().substring(3));
      }
    }
    try (Stream<Path> files = Files.list(restored)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(restored);
  }

  private static void assertRefused(Runnable action, String words) {
    assertThatThrownBy(action::run).isInstanceOf(StoreException.class).hasMessageContaining(words);
  }
}
