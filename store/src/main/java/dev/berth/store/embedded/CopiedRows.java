package dev.berth.store.embedded;

import dev.berth.store.Keys;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import dev.berth.store.StoreException;
import dev.berth.store.Unreadable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The objects of a store of any kind as the rows of a new database: each at the revision that it
 * has, all as they were at one revision, whatever is written meanwhile.
 */
final class CopiedRows {
  private static final String ALL = "/registry/";
  private static final int PAGE = 500;
  private static final String INSERT =
      "INSERT INTO object(id, key, revision, hash, value) VALUES (?, ?, ?, ?, ?)";

  private final Store store;
  private final StoredForms forms;
  private final RowHash hash = new RowHash();
  private long objects;
  private long sum;

  /**
   * @param encryption how values look in the database
   */
  CopiedRows(Store store, ValueTransformer encryption) {
    this.store = store;
    this.forms = new StoredForms(encryption);
  }

  /** Writes an empty file; returns what it adds up to then. */
  Totals writeTo(Path file) throws SQLException {
    long revision = store.revision();
    try (Connection connection = Database.write(file)) {
      Database.createTables(connection);
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement(INSERT);
          PreparedStatement put = Database.prepareTotals(connection)) {
        insertAll(insert, revision);
        Totals totals = new Totals(revision, objects, sum);
        Database.putTotals(put, totals, hash);
        connection.commit();
        return totals;
      }
    }
  }

  private void insertAll(PreparedStatement insert, long revision) throws SQLException {
    RangeRequest request = new RangeRequest(ALL, Keys.endOfPrefix(ALL), PAGE, revision);
    while (store.range(request) instanceof RangeResult.Page page) {
      for (Entry entry : page.entries()) {
        insert(insert, entry);
      }
      if (page.remaining() == 0) {
        return;
      }
      request = request.after(page.entries().getLast().key(), revision);
    }
    throw new StoreException(
        "So much was written meanwhile that revision %d could not be read to its end: try again."
            .formatted(revision));
  }

  private void insert(PreparedStatement insert, Entry entry) throws SQLException {
    if (entry.value().length == 0 || entry.value()[0] != '{') {
      throw new StoreException(
          "%s cannot be read (%s), so it cannot be backed up: give the keys that it is encrypted with, or delete it."
              .formatted(entry.key(), Unreadable.of(entry).why()));
    }
    WrittenForm form = forms.write(entry.key(), entry.value());
    byte[] value = form == null ? entry.value() : form.bytes();
    long rowHash = hash.of(entry.key(), entry.revision(), value);
    objects++;
    sum += RowHash.share(rowHash);
    insert.setLong(1, objects);
    insert.setString(2, entry.key());
    insert.setLong(3, entry.revision());
    insert.setLong(4, rowHash);
    insert.setBytes(5, value);
    insert.executeUpdate();
  }
}
