package dev.berth.store.embedded;

import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Watch;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Brings decided writes into the database, a transaction for each list of them. Used by one thread
 * at a time.
 *
 * <p>It remembers each key's row, hash and form, and the totals, as of the last transaction that
 * succeeded; a transaction that fails leaves these as they were.
 */
final class DatabaseWriter implements AutoCloseable {

  /** Where a key's value is, and the hash it has there. */
  record Row(long id, long hash) {}

  /**
   * What the database holds.
   *
   * @param rows where each key is
   * @param forms in which form each value is
   */
  record Contents(Map<String, Row> rows, StoredForms forms, Totals totals) {}

  /**
   * Transactions are begun and ended by hand: after a failure the driver's own count of them is
   * wrong, and a write would go in alone, without the totals that belong to it.
   */
  private record Statements(
      PreparedStatement begin,
      PreparedStatement put,
      PreparedStatement delete,
      PreparedStatement totals,
      PreparedStatement commit) {

    static Statements prepare(Connection connection) throws SQLException {
      return new Statements(
          connection.prepareStatement("BEGIN IMMEDIATE"),
          connection.prepareStatement(
              "INSERT OR REPLACE INTO object(id, key, revision, hash, value) VALUES (?, ?, ?, ?,"
                  + " ?)"),
          connection.prepareStatement("DELETE FROM object WHERE id = ?"),
          Database.prepareTotals(connection),
          connection.prepareStatement("COMMIT"));
    }

    void close() throws SQLException {
      begin.close();
      put.close();
      delete.close();
      totals.close();
      commit.close();
    }
  }

  /** Each waits for a tenth of a second. */
  private static final int BUSY_ATTEMPTS = 300;

  private final IntPredicate patience;
  private final Path file;
  private final Connection connection;
  private final RowHash hash = new RowHash();
  private final long checkpointBytes;
  private final Map<String, Row> rows;
  private final StoredForms forms;
  private Statements statements;
  private Totals totals;
  private long nextId;
  private long logged;
  private volatile Store.Durable durable = new Store.Durable(0, 0);

  DatabaseWriter(Path file, Contents contents, long checkpointBytes) throws SQLException {
    this(file, contents, checkpointBytes, attempt -> attempt < BUSY_ATTEMPTS);
  }

  /**
   * @param patience whether to begin once more, after so many attempts at which another program
   *     held the database
   */
  DatabaseWriter(Path file, Contents contents, long checkpointBytes, IntPredicate patience)
      throws SQLException {
    this.patience = patience;
    this.file = file;
    this.rows = contents.rows();
    this.forms = contents.forms();
    this.totals = contents.totals();
    this.checkpointBytes = checkpointBytes;
    nextId = 1 + rows.values().stream().mapToLong(Row::id).max().orElse(0);
    connection = Database.write(file);
    if (forms.mayEncrypt()) {
      Database.eraseWhatIsDeleted(connection);
    }
    statements = Statements.prepare(connection);
  }

  /**
   * Begins a transaction, tried again while another program holds the database: as long as none has
   * begun, there is nothing that could be half done.
   *
   * @return false if that program did not let go
   */
  boolean begin() throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        statements.begin().executeUpdate();
        return true;
      } catch (SQLiteException e) {
        if (!e.getResultCode().name().startsWith(SQLiteErrorCode.SQLITE_BUSY.name())) {
          throw e;
        }
      }
      if (!patience.test(attempt)) {
        return false;
      }
      rollback();
    }
  }

  /**
   * Makes the writes durable, in the transaction that was begun; if it throws, see {@link
   * WriteFailure} for what that means.
   *
   * @param written how entries look on disk that do not look there as they are
   */
  void commit(List<Watch.Event> events, Map<Entry, WrittenForm> written) throws SQLException {
    Map<String, Optional<Entry>> outcome = new LinkedHashMap<>();
    for (Watch.Event event : events) {
      outcome.put(
          event.key(),
          event instanceof Watch.Event.Put put ? Optional.of(put.entry()) : Optional.empty());
    }
    var rowsAfter = new LinkedHashMap<String, Optional<Row>>();
    long sum = totals.sum();
    long objects = totals.objects();
    long id = nextId;
    long bytes = Database.PAGE_BYTES;
    long values = 0;
    for (var each : outcome.entrySet()) {
      Row before = rows.get(each.getKey());
      Entry entry = each.getValue().orElse(null);
      if (before != null) {
        sum -= RowHash.share(before.hash());
        objects--;
      }
      if (entry != null) {
        WrittenForm form = written.get(entry);
        byte[] stored = form == null ? entry.value() : form.bytes();
        Row after = put(before == null ? id++ : before.id(), entry, stored);
        rowsAfter.put(each.getKey(), Optional.of(after));
        sum += RowHash.share(after.hash());
        objects++;
        values += stored.length;
        bytes += ((long) stored.length / Database.PAGE_BYTES + 1) * Database.PAGE_BYTES;
      } else if (before != null) {
        delete(before);
        rowsAfter.put(each.getKey(), Optional.empty());
        bytes += Database.PAGE_BYTES;
      }
    }
    var totalsAfter = new Totals(events.getLast().revision(), objects, sum);
    Database.putTotals(statements.totals(), totalsAfter, hash);
    statements.commit().executeUpdate();
    rowsAfter.forEach(this::remember);
    outcome.forEach(
        (key, entry) -> forms.remember(key, entry.map(written::get).map(WrittenForm::form)));
    totals = totalsAfter;
    nextId = id;
    logged += bytes;
    durable = new Store.Durable(durable.transactions() + 1, durable.bytes() + values);
  }

  /** What was committed so far. For any thread. */
  Store.Durable durable() {
    return durable;
  }

  private void remember(String key, Optional<Row> row) {
    row.ifPresentOrElse(r -> rows.put(key, r), () -> rows.remove(key));
  }

  private Row put(long id, Entry entry, byte[] stored) throws SQLException {
    PreparedStatement put = statements.put();
    long rowHash = hash.of(entry.key(), entry.revision(), stored);
    put.setLong(1, id);
    put.setString(2, entry.key());
    put.setLong(3, entry.revision());
    put.setLong(4, rowHash);
    put.setBytes(5, stored);
    put.executeUpdate();
    return new Row(id, rowHash);
  }

  private void delete(Row row) throws SQLException {
    statements.delete().setLong(1, row.id());
    if (statements.delete().executeUpdate() != 1) {
      throw new SQLException("row " + row.id() + " is gone");
    }
  }

  /**
   * Goes on at a later revision, durably and in the file itself, so that losing the log again does
   * not bring an earlier one back.
   */
  void skipTo(long revision) throws SQLException {
    Totals later = new Totals(revision, totals.objects(), totals.sum());
    Database.putTotals(statements.totals(), later, hash);
    totals = later;
    checkpointAll();
  }

  /** Undoes a transaction that failed, so that another can be tried. */
  void rollback() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("ROLLBACK");
    } catch (SQLException alreadyRolledBack) {
      // SQLite ends a transaction itself when the disk is full.
    }
    // The driver closes a statement that failed.
    statements.close();
    statements = Statements.prepare(connection);
  }

  /**
   * Applies the log to the file if it has become long. A failure leaves the log as it is: nothing
   * is lost, but another attempt could believe a disk that forgot what it was told.
   */
  void checkpointIfDue() throws SQLException {
    if (logged >= checkpointBytes) {
      checkpoint("PASSIVE");
      logged = 0;
    }
  }

  private void checkpoint(String mode) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(" + mode + ")")) {
      result.next();
    }
  }

  /** Applies the whole log, so that one file holds everything. */
  void checkpointAll() throws SQLException {
    checkpoint("TRUNCATE");
  }

  /** Closes without applying the log: SQLite does that only if no other connection is open. */
  void abandon() throws SQLException {
    @Nullable Connection guard = null;
    try {
      guard = Database.read(file);
      try (Statement statement = guard.createStatement()) {
        Database.number(statement, "SELECT revision FROM totals");
      }
    } finally {
      connection.close();
      if (guard != null) {
        guard.close();
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
