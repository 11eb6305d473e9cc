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
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged, foreign and misplaced files. Whatever is wrong, a store is either refused with a
 * sentence and left as it is, or everything it serves is right.
 */
class DamageTest {

  @TempDir Path temporary;

  private final Map<String, byte[]> expected = new TreeMap<>();

  private Path sound() {
    return temporary.resolve("sound");
  }

  private Path data() {
    return temporary.resolve("data");
  }

  private Path database() {
    return data().resolve("berth.db");
  }

  private static Store open(Path directory) {
    return EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT);
  }

  /** A store of many kinds of pages: free ones, overflowing ones, several levels, a log. */
  @BeforeEach
  void makeASoundStore() throws Exception {
    var random = new SplittableRandom(1);
    Path live = temporary.resolve("live");
    try (Store store = open(live)) {
      write(store, random, 300);
    }
    try (Store store = open(live)) {
      write(store, random, 100);
      DirectoryBytes.copyLive(live, sound());
    }
    DirectoryBytes.copy(sound(), data());
  }

  private void write(Store store, SplittableRandom random, int writes) {
    for (int i = 0; i < writes; i++) {
      String key = "/registry/things/" + random.nextInt(120);
      if (random.nextInt(4) == 0) {
        store.delete(key, Store.ANY);
        expected.remove(key);
      } else {
        int noise = random.nextInt(10) == 0 ? random.nextInt(40_000) : random.nextInt(2_000);
        byte[] value = SelfDescribing.value(key, random, noise);
        store.put(key, value, Store.ANY);
        expected.put(key, value);
      }
    }
  }

  private void assertExact(Store store) {
    List<Entry> entries = ((Page) store.range(RangeRequest.prefix(""))).entries();
    assertThat(entries).extracting(Entry::key).containsExactlyElementsOf(expected.keySet());
    assertThat(entries).extracting(Entry::value).containsExactlyElementsOf(expected.values());
  }

  private StoreException assertRefused() {
    Map<String, String> before = DirectoryBytes.of(data());
    StoreException[] refusal = new StoreException[1];
    assertThatThrownBy(() -> open(data()))
        .isInstanceOfSatisfying(StoreException.class, e -> refusal[0] = e);
    assertThat(DirectoryBytes.of(data())).isEqualTo(before);
    return refusal[0];
  }

  private void assertRefusedOrExact(String how) {
    Map<String, String> before = DirectoryBytes.of(data());
    try (Store store = open(data())) {
      assertExact(store);
    } catch (StoreException e) {
      assertThat(e.getMessage()).as(how).contains(data().toString()).contains(": ");
      assertThat(DirectoryBytes.of(data())).as(how).isEqualTo(before);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(how, e);
    }
  }

  @Test
  void opensWhatIsSound() {
    try (Store store = open(data())) {
      assertExact(store);
    }
  }

  @SeededTest(
      fixed = 1,
      fresh = 1,
      each = {"berth.db", "berth.db-wal", "acknowledged"})
  void aFlippedBitIsNoticedOrHarmless(long seed, String name) throws IOException {
    byte[] bytes = Files.readAllBytes(sound().resolve(name));
    var random = new SplittableRandom(seed);
    int flips = Math.min(150, bytes.length);
    for (int i = 0; i < flips; i++) {
      DirectoryBytes.copy(sound(), data());
      byte[] flipped = bytes.clone();
      int at = random.nextInt(bytes.length);
      int bit = random.nextInt(8);
      flipped[at] ^= (byte) (1 << bit);
      Files.write(data().resolve(name), flipped);
      assertRefusedOrExact("bit %d of byte %d of %s, seed %d".formatted(bit, at, name, seed));
    }
  }

  /** The first page holds the header, the schema and the way to everything else. */
  @Test
  void everyByteOfTheHeaderIsNoticedOrHarmless() throws IOException {
    byte[] bytes = Files.readAllBytes(sound().resolve("berth.db"));
    for (int at = 0; at < 120; at++) {
      DirectoryBytes.copy(sound(), data());
      byte[] flipped = bytes.clone();
      flipped[at] ^= 0x11;
      Files.write(database(), flipped);
      assertRefusedOrExact("byte " + at + " of the header");
    }
  }

  @ParameterizedTest(name = "{0} of 16 parts of {1} left")
  @CsvSource({"1, berth.db", "8, berth.db", "8, berth.db-wal", "15, berth.db-wal"})
  void aTruncatedFileIsRefused(int parts, String name) throws IOException {
    Path file = data().resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 16 * parts));
    assertThat(assertRefused()).hasMessageContaining("restore a backup");
  }

  @Test
  void aMissingLogIsRefused() throws IOException {
    Files.delete(data().resolve("berth.db-wal"));
    assertThat(assertRefused()).hasMessageContaining("was acknowledged");
  }

  @Test
  void aMissingDatabaseIsRefused() throws IOException {
    Files.delete(database());
    assertThat(assertRefused()).hasMessageContaining("is missing although there was a store here");
    Files.delete(data().resolve("berth.db-wal"));
    assertThat(assertRefused()).hasMessageContaining("is missing although there was a store here");
  }

  @Test
  void anEmptyDatabaseIsRefused() throws IOException {
    Files.write(database(), new byte[0]);
    assertThat(assertRefused()).hasMessageContaining("is empty, which no store ever is");
  }

  @Test
  void aTextFileIsRefused() throws IOException {
    Files.delete(data().resolve("berth.db-wal"));
    Files.writeString(database(), "Dear aunt, thank you for the socks. ".repeat(300));
    assertThat(assertRefused()).hasMessageContaining("is not a Berth store");
  }

  @Test
  void anotherProgramsDatabaseIsRefused() throws Exception {
    replaceBy("CREATE TABLE moz_places(id INTEGER PRIMARY KEY)");
    assertThat(assertRefused()).hasMessageContaining("is an SQLite database of another program");
  }

  @Test
  void aNewerFormatIsRefused() throws Exception {
    replaceBy("PRAGMA application_id = " + 0x42657274, "PRAGMA user_version = 7");
    assertThat(assertRefused())
        .hasMessageContaining("has format 7, and this version of Berth knows formats up to 1");
  }

  private void replaceBy(String... statements) throws Exception {
    Files.delete(data().resolve("berth.db-wal"));
    Files.delete(database());
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Rows that fit their own hashes, but were lost, doubled, or came back from the past. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM object WHERE id = (SELECT max(id) FROM object)",
        "INSERT INTO object SELECT id + 10000, key, revision, hash, value FROM object LIMIT 1",
        "UPDATE object SET (key, revision, hash, value) = (SELECT key, revision, hash, value FROM"
            + " object ORDER BY id LIMIT 1) WHERE id = (SELECT max(id) FROM object)",
        "UPDATE totals SET revision = revision + 1",
        "DELETE FROM totals",
        "CREATE INDEX more ON object(key)",
      })
  void rowsThatDoNotAddUpAreRefused(String tampering) throws Exception {
    open(data()).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database());
        Statement statement = connection.createStatement()) {
      statement.execute(tampering);
    }
    assertThat(assertRefused()).hasMessageContaining("is damaged");
  }

  @Test
  void aDamagedAcknowledgementIsRefusedAndADeletedOneIsMadeAnew() throws IOException {
    Path file = data().resolve("acknowledged");
    Files.write(file, new byte[29]);
    assertThat(assertRefused()).hasMessageContaining("delete that file to go on");
    Files.delete(file);
    try (Store store = open(data())) {
      assertExact(store);
    }
    assertThat(file).exists();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = temporary.resolve("file");
    Files.writeString(file, "text");
    assertThatThrownBy(() -> open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file + " is a file, but the store needs a directory");
    assertThatThrownBy(() -> open(file.resolve("below")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be used (");
    assertThat(file).hasContent("text");
  }

  @Test
  void aDirectoryServesOneStoreAtATime() throws Exception {
    try (Store store = open(data())) {
      assertThatThrownBy(() -> open(data()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is already open in this process");
      store.put("/a", new byte[1], Store.ANY);
    }
    try (Child child = child()) {
      child.go();
      while (!child.line().startsWith("did")) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> open(data()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is in use by process " + child.pid());
    }
    open(data()).close();
  }

  /** The first store's lock must survive that a second open in the same process was refused. */
  @Test
  void aRefusedSecondOpenDoesNotLetAnotherProcessIn() throws Exception {
    try (Store store = open(data());
        Child child = child()) {
      assertThatThrownBy(() -> open(data())).isInstanceOf(StoreException.class);
      child.go();
      assertThat(child.line()).isEqualTo("opening");
      assertThat(String.join("\n", child.remainingLines()))
          .contains("is in use by process " + ProcessHandle.current().pid());
      assertThat(child.exitCode()).isEqualTo(1);
      assertExact(store);
    }
  }

  private Child child() {
    return Child.start(temporary, List.of(), CrashChild.class, data().toString(), "1", "1000000");
  }
}
