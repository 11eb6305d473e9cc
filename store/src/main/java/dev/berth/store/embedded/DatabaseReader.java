package dev.berth.store.embedded;

import dev.berth.store.Store.Entry;
import dev.berth.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Reads a whole database and trusts nothing in it: each row must fit its hash, all rows the totals,
 * and SQLite's own structure itself, since a damaged list of free pages would harm later writes.
 */
final class DatabaseReader {

  /** Receives each row once it has proved sound. */
  @FunctionalInterface
  interface Sink {
    void accept(long id, long hash, Entry entry);
  }

  /** Makes connections to the file; the structure is checked on a second one, at the same time. */
  @FunctionalInterface
  interface Source {
    Connection connect(Path file) throws SQLException;
  }

  private final Path file;
  private final Source source;

  DatabaseReader(Path file, Source source) {
    this.file = file;
    this.source = source;
  }

  /** Reads everything; returns what it adds up to. */
  Totals read(Sink sink) {
    try (Connection connection = source.connect(file);
        Statement statement = connection.createStatement()) {
      checkFormat(statement);
      CompletableFuture<@Nullable String> structure =
          CompletableFuture.supplyAsync(this::structuralDamage, task -> start(task));
      Totals stated;
      Totals counted;
      try {
        stated = totals(statement);
        counted = rows(statement, stated.revision(), sink);
      } finally {
        structure.exceptionally(e -> null).join();
      }
      if (!stated.equals(counted)) {
        throw damaged("it should hold %s, but holds %s".formatted(stated, counted), null);
      }
      String damage = structure.join();
      if (damage != null) {
        throw damaged(damage, null);
      }
      return stated;
    } catch (SQLException e) {
      throw unreadable(e);
    } catch (CompletionException e) {
      throw e.getCause() instanceof SQLException sql ? unreadable(sql) : e;
    }
  }

  /** Copies one snapshot, unverified, into an empty file. */
  void copyTo(Path target) {
    try (Connection connection = source.connect(file)) {
      try (Statement statement = connection.createStatement()) {
        checkFormat(statement);
      }
      Database.copy(connection, target);
    } catch (SQLException e) {
      if (e instanceof SQLiteException sqlite
          && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_FULL) {
        throw new StoreException(
            "The disk is full: %s could not be copied to %s.".formatted(file, target));
      }
      throw unreadable(e);
    }
  }

  private static void start(Runnable task) {
    Thread.ofPlatform().name("berth-store-check").start(task);
  }

  private void checkFormat(Statement statement) throws SQLException {
    if (Database.number(statement, "PRAGMA application_id") != Database.APPLICATION_ID) {
      throw new StoreException(
          "%s is an SQLite database of another program: name the file or directory of a Berth store."
              .formatted(file));
    }
    long format = Database.number(statement, "PRAGMA user_version");
    if (format > Database.FORMAT) {
      throw new StoreException(
          ("%s has format %d, and this version of Berth knows formats up to %d: use the newer version"
                  + " that wrote it.")
              .formatted(file, format, Database.FORMAT));
    }
    List<String> tables = new ArrayList<>();
    try (ResultSet result = statement.executeQuery("SELECT sql FROM sqlite_schema ORDER BY sql")) {
      while (result.next()) {
        tables.add(result.getString(1));
      }
    }
    if (!tables.equals(List.of(Database.OBJECTS, Database.TOTALS))) {
      throw damaged("its tables are not a store's", null);
    }
  }

  private Totals totals(Statement statement) throws SQLException {
    try (ResultSet result =
        statement.executeQuery("SELECT revision, objects, sum, hash FROM totals")) {
      if (result.next()) {
        var totals = new Totals(result.getLong(1), result.getLong(2), result.getLong(3));
        if (totals.hash(new RowHash()) == result.getLong(4) && !result.next()) {
          return totals;
        }
      }
    }
    throw damaged("its totals do not fit their hash", null);
  }

  private Totals rows(Statement statement, long revision, Sink sink) throws SQLException {
    var rowHash = new RowHash();
    long objects = 0;
    long sum = 0;
    try (ResultSet row =
        statement.executeQuery("SELECT id, key, revision, hash, value FROM object")) {
      while (row.next()) {
        String key = row.getString(2);
        byte[] value = row.getBytes(5);
        long hash = row.getLong(4);
        if (key == null || value == null || rowHash.of(key, row.getLong(3), value) != hash) {
          throw damaged("object %s does not fit its hash".formatted(key), null);
        }
        sink.accept(row.getLong(1), hash, new Entry(key, value, row.getLong(3)));
        objects++;
        sum += RowHash.share(hash);
      }
    }
    return new Totals(revision, objects, sum);
  }

  private @Nullable String structuralDamage() {
    try (Connection connection = source.connect(file);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA integrity_check(1)")) {
      String verdict = result.next() ? result.getString(1) : "no verdict";
      return "ok".equals(verdict) ? null : verdict;
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
  }

  private StoreException unreadable(SQLException cause) {
    int code = cause instanceof SQLiteException sqlite ? sqlite.getResultCode().code & 0xff : 0;
    if (code == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return new StoreException(
          "%s is not a Berth store, or its beginning is damaged: name the right file, or restore a backup."
              .formatted(file));
    }
    if (code == SQLiteErrorCode.SQLITE_CANTOPEN.code
        || code == SQLiteErrorCode.SQLITE_READONLY.code
        || code == SQLiteErrorCode.SQLITE_PERM.code) {
      return new StoreException(
          "%s cannot be opened: make it and its directory readable and writable for this user."
              .formatted(file),
          cause);
    }
    if (code == SQLiteErrorCode.SQLITE_BUSY.code) {
      return new StoreException(
          "%s is locked by another program: end that program, then try again.".formatted(file),
          cause);
    }
    return damaged("it cannot be read to its end", cause);
  }

  StoreException damaged(String how, @Nullable Throwable cause) {
    return new StoreException(
        "%s is damaged (%s): nothing was changed; restore a backup into an empty directory."
            .formatted(file, how),
        cause);
  }
}
