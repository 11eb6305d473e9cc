package dev.berth.store.embedded;

import dev.berth.store.Store.Entry;
import dev.berth.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files that lie beside a store and belong to it, such as the keys of its cluster. In a backup
 * they are rows like all others, under {@value #PREFIX}, so that the same hashes and totals guard
 * them; in a store they are files.
 */
final class BackupFiles {
  private static final String PREFIX = "/files/";
  private static final String INSERT =
      "INSERT INTO object(id, key, revision, hash, value)"
          + " VALUES ((SELECT coalesce(max(id), 0) + 1 FROM object), ?, ?, ?, ?)";

  private final Map<String, byte[]> files = new TreeMap<>();

  int size() {
    return files.size();
  }

  /** The files directly in a folder of the store's directory, if it has that folder. */
  static BackupFiles read(Path directory, String folder) throws IOException {
    BackupFiles found = new BackupFiles();
    Path from = directory.resolve(folder);
    if (Files.isDirectory(from)) {
      try (Stream<Path> files = Files.list(from)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          found.files.put(folder + "/" + file.getFileName(), Files.readAllBytes(file));
        }
      }
    }
    return found;
  }

  /** Takes a backup's row, if it is a file; whether it is. */
  boolean take(Entry entry) {
    if (!entry.key().startsWith(PREFIX)) {
      return false;
    }
    String name = entry.key().substring(PREFIX.length());
    // A backup that somebody forged must not write elsewhere.
    if (!name.matches("[a-z]+/[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
      throw new StoreException(
          "The backup holds a file with the name %s, which no backup of Berth does."
              .formatted(name));
    }
    files.put(name, entry.value());
    return true;
  }

  /** The folders that the files are in. */
  Set<String> folders() {
    Set<String> folders = new TreeSet<>();
    files.keySet().forEach(file -> folders.add(file.substring(0, file.indexOf('/'))));
    return folders;
  }

  /** Whether another one holds each of these files as it is here. */
  boolean isPartOf(BackupFiles other) {
    return files.entrySet().stream()
        .allMatch(file -> Arrays.equals(file.getValue(), other.files.get(file.getKey())));
  }

  boolean hasFolder(String name) {
    return files.keySet().stream().anyMatch(file -> file.startsWith(name + "/"));
  }

  /** Adds the files to a copy of the store; returns what it adds up to then. */
  Totals addTo(Path copy, Totals totals) throws SQLException {
    if (files.isEmpty()) {
      return totals;
    }
    RowHash rowHash = new RowHash();
    long sum = totals.sum();
    try (Connection connection = Database.write(copy);
        PreparedStatement insert = connection.prepareStatement(INSERT);
        PreparedStatement put = Database.prepareTotals(connection)) {
      connection.setAutoCommit(false);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        String key = PREFIX + file.getKey();
        long hash = rowHash.of(key, totals.revision(), file.getValue());
        insert.setString(1, key);
        insert.setLong(2, totals.revision());
        insert.setLong(3, hash);
        insert.setBytes(4, file.getValue());
        insert.executeUpdate();
        sum += RowHash.share(hash);
      }
      Totals all = new Totals(totals.revision(), totals.objects() + files.size(), sum);
      Database.putTotals(put, all, rowHash);
      connection.commit();
      return all;
    }
  }

  /** Takes the files out of a store made from a backup; returns what it adds up to then. */
  Totals removeFrom(Connection store, Totals totals, long backupRevision) throws SQLException {
    RowHash rowHash = new RowHash();
    long sum = totals.sum();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      sum -= RowHash.share(rowHash.of(PREFIX + file.getKey(), backupRevision, file.getValue()));
    }
    Database.eraseWhatIsDeleted(store);
    try (Statement statement = store.createStatement()) {
      statement.execute("DELETE FROM object WHERE key LIKE '" + PREFIX + "%'");
    }
    return new Totals(totals.revision(), totals.objects() - files.size(), sum);
  }

  /** Writes the files, readable for their owner only. */
  void writeTo(Path directory) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path target = directory.resolve(file.getKey());
      Path folder = directory.resolve(file.getKey().substring(0, file.getKey().indexOf('/')));
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      Files.deleteIfExists(target);
      Database.createOwnerFile(target);
      Files.write(target, file.getValue());
      DataDirectory.syncFile(target);
      DataDirectory.sync(folder);
    }
  }
}
