package dev.berth.store.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.StoreException;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.store.embedded.EmbeddedStore.Options;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.memory.MemoryStore;
import dev.berth.store.migration.StoreMigration.Summary;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All objects arrive, each at a later revision than before, or nothing is called done. */
class StoreMigrationTest {
  @TempDir Path folder;

  private EmbeddedStore embedded(String name, long revision) {
    return EmbeddedStore.open(
        folder.resolve(name), Options.DEFAULT, ValueTransformer.NONE, revision);
  }

  private static byte[] object(int i) {
    return "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m%d\"},\"data\":{\"a\":\"%d\"}}"
        .formatted(i, i)
        .getBytes(UTF_8);
  }

  private static String key(int i) {
    return "/registry/configmaps/default/m" + i;
  }

  private static void fill(Store store, int objects) {
    for (int i = 0; i < objects; i++) {
      store.put(key(i), object(i), Store.ABSENT);
    }
  }

  @Test
  void everyObjectGoesFromMemoryToDiskAndBack() {
    try (Store memory = new MemoryStore(HistoryLimits.DEFAULT)) {
      fill(memory, 1203);
      memory.delete(key(7), Store.ANY);
      long revision = memory.revision();
      try (Store disk = embedded("a", revision)) {
        assertThat(new StoreMigration(memory, disk).copy().objects()).isEqualTo(1202);
      }
      try (Store disk = embedded("a", 0);
          Store again = new MemoryStore(HistoryLimits.DEFAULT)) {
        assertThat(new StoreMigration(memory, disk).check().objects()).isEqualTo(1202);
        assertThat(disk.get(key(8)).orElseThrow().revision()).isGreaterThan(revision);
        StoreMigration back = new StoreMigration(disk, again);
        Summary copied = back.copy();
        assertThat(back.check()).isEqualTo(copied);
        assertThat(again.get(key(8)).orElseThrow().revision()).isGreaterThan(disk.revision());
        assertThat(again.get(key(7))).isEmpty();
      }
    }
  }

  @Test
  void fromDiskToDisk() {
    try (Store first = embedded("a", 0);
        Store second = embedded("b", 5_000_000_000L)) {
      fill(first, 700);
      StoreMigration migration = new StoreMigration(first, second);
      migration.copy();
      assertThat(migration.check().objects()).isEqualTo(700);
      assertThat(second.get(key(1)).map(Entry::revision).orElseThrow())
          .isGreaterThan(5_000_000_000L);
    }
  }

  @Test
  void anInterruptedMigrationIsRunAgain() {
    try (Store from = new MemoryStore(HistoryLimits.DEFAULT);
        Store to = new MemoryStore(HistoryLimits.DEFAULT)) {
      fill(from, 40);
      from.put(key(0), object(99), Store.ANY);
      to.put(key(3), object(3), Store.ABSENT);
      StoreMigration migration = new StoreMigration(from, to);
      migration.copy();
      assertThat(migration.check().objects()).isEqualTo(40);
    }
  }

  @Test
  void aTargetOfAnotherClusterIsLeftAlone() {
    try (Store from = new MemoryStore(HistoryLimits.DEFAULT);
        Store to = new MemoryStore(HistoryLimits.DEFAULT)) {
      fill(from, 3);
      to.put("/registry/secrets/default/s", object(1), Store.ABSENT);
      long before = to.revision();
      assertThatThrownBy(() -> new StoreMigration(from, to).copy())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("/registry/secrets/default/s already");
      assertThat(to.revision()).isEqualTo(before);
    }
  }

  @Test
  void whatCannotBeReadIsNamedBeforeAnythingIsCopied() {
    try (Store from = new MemoryStore(HistoryLimits.DEFAULT);
        Store to = new MemoryStore(HistoryLimits.DEFAULT)) {
      fill(from, 3);
      from.put("/registry/secrets/default/s", "k8s:enc:".getBytes(UTF_8), Store.ABSENT);
      assertThatThrownBy(() -> new StoreMigration(from, to).copy())
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("/registry/secrets/default/s cannot be read");
      assertThat(to.revision()).isEqualTo(1);
    }
  }

  @Test
  void aTargetTooFarBehindIsRefused() {
    try (Store from = embedded("a", 2_000_000_000L);
        Store to = new MemoryStore(HistoryLimits.DEFAULT)) {
      fill(from, 1);
      assertThatThrownBy(() -> new StoreMigration(from, to).copy())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("--bump-revision 2000000001");
    }
  }

  @Test
  void theCheckNamesWhatIsMissingDifferentOrNew() {
    try (Store from = new MemoryStore(HistoryLimits.DEFAULT);
        Store to = new MemoryStore(HistoryLimits.DEFAULT)) {
      fill(from, 3);
      StoreMigration migration = new StoreMigration(from, to);
      migration.copy();

      to.delete(key(1), Store.ANY);
      assertThatThrownBy(migration::check).hasMessage(key(1) + " is missing in the copy.");
      to.put(key(1), object(2), Store.ABSENT);
      assertThatThrownBy(migration::check).hasMessage(key(1) + " differs in the copy.");
      to.put(key(1), object(1), Store.ANY);
      to.put(key(9), object(9), Store.ABSENT);
      assertThatThrownBy(migration::check).hasMessage(key(9) + " is in the copy alone.");
    }
  }
}
