package dev.berth.store.embedded;

import dev.berth.store.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/**
 * The file format: which tables there are, and how connections to them are made.
 *
 * <p>A row is found by a number that the store's memory keeps for each key, so the file needs no
 * index on keys: updating a 3 KB value writes one page, where a table keyed by the key writes two
 * or three.
 */
final class Database {

  /** Marks the file as ours among SQLite databases: "Bert". */
  static final int APPLICATION_ID = 0x42657274;

  /** The format this program writes; it refuses higher ones. */
  static final int FORMAT = 1;

  static final String OBJECTS =
      "CREATE TABLE object(id INTEGER PRIMARY KEY, key TEXT NOT NULL, revision INTEGER NOT NULL,"
          + " hash INTEGER NOT NULL, value BLOB NOT NULL)";
  static final String TOTALS =
      "CREATE TABLE totals(id INTEGER PRIMARY KEY, revision INTEGER NOT NULL,"
          + " objects INTEGER NOT NULL, sum INTEGER NOT NULL, hash INTEGER NOT NULL)";

  private static final String PUT_TOTALS =
      "INSERT OR REPLACE INTO totals(id, revision, objects, sum, hash) VALUES (1, ?, ?, ?, ?)";

  /** One value of 3 KB fills one page, which is what most objects are. */
  static final int PAGE_BYTES = 4096;

  /** Enough for the inner nodes of a table of millions of rows. */
  private static final int CACHE_KIB = 32 << 10;

  /** A log that outgrew this while a backup held it is cut back afterwards. */
  private static final int LOG_LIMIT_BYTES = 64 << 20;

  /** How long one attempt to begin a transaction waits for another program. */
  private static final int BUSY_MILLIS = 100;

  private Database() {}

  /** Creates an empty database under its name in one step, or not at all. */
  static void create(DataDirectory directory) throws IOException, SQLException {
    Path fresh = directory.path().resolve(DataDirectory.DATABASE + ".new");
    for (String suffix : new String[] {"", "-wal", "-shm", "-journal"}) {
      Files.deleteIfExists(Path.of(fresh + suffix));
    }
    createOwnerFile(fresh);
    try (Connection connection = write(fresh)) {
      createTables(connection);
      try (PreparedStatement put = prepareTotals(connection)) {
        putTotals(put, new Totals(Timeline.FIRST_REVISION, 0, 0), new RowHash());
      }
    }
    DataDirectory.syncFile(fresh);
    Files.move(fresh, directory.database(), StandardCopyOption.ATOMIC_MOVE);
    DataDirectory.sync(directory.path());
  }

  /** Makes an empty file a database without totals. */
  static void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(OBJECTS);
      statement.execute(TOTALS);
      statement.execute("PRAGMA application_id = " + APPLICATION_ID);
      statement.execute("PRAGMA user_version = " + FORMAT);
    }
  }

  static void createOwnerFile(Path file) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /**
   * A connection that writes. The log is applied to the file by {@link DatabaseWriter}, never by
   * SQLite itself, which would not tell when that fails.
   */
  static Connection write(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setPageSize(PAGE_BYTES);
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setCacheSize(-CACHE_KIB);
    config.setJournalSizeLimit(LOG_LIMIT_BYTES);
    config.setBusyTimeout(BUSY_MILLIS);
    // The driver would ask for the number of each row that is put, by a query that it prepares
    // anew.
    config.setGetGeneratedKeys(false);
    Connection connection = config.createConnection("jdbc:sqlite:" + file.toUri());
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_autocheckpoint = 0");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Has what is deleted or replaced overwritten in the file: what was stored before it was
   * encrypted must not stay in parts of pages that are free.
   */
  static void eraseWhatIsDeleted(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA secure_delete = ON");
    }
  }

  /** A connection that cannot write, and leaves the log alone when it is closed. */
  static Connection read(Path file) throws SQLException {
    return readOnly(file.toUri().toString());
  }

  /** Reads a file that nobody writes to; creates no files beside it. */
  static Connection readStill(Path file) throws SQLException {
    return readOnly(file.toUri() + "?immutable=1");
  }

  private static Connection readOnly(String uri) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    return config.createConnection("jdbc:sqlite:" + uri);
  }

  static PreparedStatement prepareTotals(Connection connection) throws SQLException {
    return connection.prepareStatement(PUT_TOTALS);
  }

  static void putTotals(PreparedStatement put, Totals totals, RowHash hash) throws SQLException {
    put.setLong(1, totals.revision());
    put.setLong(2, totals.objects());
    put.setLong(3, totals.sum());
    put.setLong(4, totals.hash(hash));
    put.executeUpdate();
  }

  static long number(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      return result.next() ? result.getLong(1) : 0;
    }
  }

  /** Copies what a connection sees into a file that does not exist or is empty. */
  static void copy(Connection from, Path to) throws SQLException {
    try (PreparedStatement copy = from.prepareStatement("VACUUM INTO ?")) {
      copy.setString(1, to.toString());
      copy.execute();
    }
  }
}
