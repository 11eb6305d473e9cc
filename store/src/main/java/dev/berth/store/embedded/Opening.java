package dev.berth.store.embedded;

import dev.berth.store.HistoryLimits;
import dev.berth.store.Store.Entry;
import dev.berth.store.StoreException;
import dev.berth.store.Timeline;
import dev.berth.store.Unreadable;
import dev.berth.store.embedded.ValueTransformer.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What opening a directory found. A database is read through a connection that cannot write, so
 * that one that is refused stays as it was; a connection that can would apply the log when it is
 * closed.
 */
final class Opening {

  private final Path database;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, DatabaseWriter.Row> rows = new HashMap<>();
  private final StoredForms forms;
  private final List<String> unreadable = new ArrayList<>();
  private boolean isRepaired;
  private Totals totals;

  private Opening(Path database, ValueTransformer transformer) {
    this.database = database;
    forms = new StoredForms(transformer);
    totals =
        new DatabaseReader(database, Database::read)
            .read((id, hash, entry) -> add(id, hash, entry, transformer));
  }

  private void add(long id, long hash, Entry entry, ValueTransformer transformer) {
    switch (transformer.read(entry.key(), entry.value())) {
      case Reading.Value(byte[] value, Optional<ValueForm> form) -> {
        entries.add(form.isEmpty() ? entry : new Entry(entry.key(), value, entry.revision()));
        forms.remember(entry.key(), form);
      }
      case Reading.Unreadable(String why) -> {
        entries.add(Unreadable.mark(entry, why));
        unreadable.add(entry.key());
      }
    }
    rows.put(entry.key(), new DatabaseWriter.Row(id, hash));
  }

  /** Reads the directory's database, or creates one where there never was one. */
  static Opening of(DataDirectory directory, ValueTransformer transformer)
      throws IOException, SQLException {
    Path path = directory.path();
    Path database = directory.database();
    OptionalLong acknowledged = Acknowledged.read(path);
    if (Files.exists(path.resolve(DataDirectory.RESTORING))) {
      throw new StoreException(
          "A restore into %s was interrupted: run it again, or empty the directory."
              .formatted(path));
    }
    if (!Files.exists(database)) {
      if (acknowledged.orElse(0) > Timeline.FIRST_REVISION
          || Files.exists(path.resolve(DataDirectory.DATABASE + "-wal"))) {
        throw new StoreException(
            "%s is missing although there was a store here: restore a backup into an empty directory."
                .formatted(database));
      }
      Database.create(directory);
    }
    if (Files.size(database) == 0) {
      throw new StoreException(
          "%s is empty, which no store ever is: restore a backup into an empty directory."
              .formatted(database));
    }
    var opening = new Opening(database, transformer);
    checkNothingIsMissing(database, opening.totals.revision(), acknowledged);
    opening.isRepaired =
        acknowledged.isEmpty() && opening.totals.revision() > Timeline.FIRST_REVISION;
    return opening;
  }

  static void checkNothingIsMissing(Path database, long revision, OptionalLong acknowledged) {
    if (acknowledged.isPresent() && revision < acknowledged.getAsLong()) {
      throw new StoreException(
          ("%s ends at revision %d, but revision %d was acknowledged: its log is damaged, or the files"
                  + " are of different ages. Nothing was changed; restore a backup into an empty"
                  + " directory, or delete %s to go on without the missing writes.")
              .formatted(
                  database,
                  revision,
                  acknowledged.getAsLong(),
                  database.resolveSibling(Acknowledged.NAME)));
    }
  }

  Totals totals() {
    return totals;
  }

  StoredForms forms() {
    return forms;
  }

  /** The keys of values that nobody can read without a key that is missing. */
  List<String> unreadable() {
    return unreadable;
  }

  Timeline timeline(HistoryLimits limits) {
    return Timeline.of(entries.toArray(Entry[]::new), totals.revision(), limits);
  }

  /**
   * Who writes to it. Where the note of what was acknowledged is gone, as after a repair, writes
   * may be missing whose revisions clients have seen: then it goes on far beyond them.
   *
   * @param revision which the store is brought to if it is not there yet
   */
  DatabaseWriter writer(long checkpointBytes, long revision) throws SQLException {
    var writer =
        new DatabaseWriter(
            database, new DatabaseWriter.Contents(rows, forms, totals), checkpointBytes);
    long least = isRepaired ? totals.revision() + Backup.REVISIONS_SKIPPED : revision;
    if (totals.revision() < least) {
      totals = new Totals(least, totals.objects(), totals.sum());
      writer.skipTo(least);
    }
    return writer;
  }
}
