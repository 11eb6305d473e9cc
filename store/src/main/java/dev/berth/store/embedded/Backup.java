package dev.berth.store.embedded;

import dev.berth.store.Store;
import dev.berth.store.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Copies a store into one file, with the keys of its cluster, and such a file into a new store.
 *
 * <p>A backup may be made while a server runs, in its process or another: it reads one snapshot and
 * takes part in none of the server's locks. While it runs the log cannot be reused and grows; it is
 * cut back afterwards.
 *
 * <p>A restored store is at least {@value #REVISIONS_SKIPPED} revisions further on than its backup,
 * and at a revision of {@value #REVISIONS_PER_SECOND} for each second since 1970: more than any
 * store that was restored from the same backup before can have reached. Clients remember revisions
 * that such a store reached; with these lying below the restored store's history they are told "too
 * old" and list anew. Otherwise the new store would reach the same numbers with other writes, and
 * such clients would silently miss them.
 */
public final class Backup {

  /** What a copy holds. */
  public record Summary(long objects, long revision, long bytes) {}

  /** How far a restored store is ahead of its backup, at least. */
  public static final long REVISIONS_SKIPPED = 1_000_000_000;

  /** More than any store writes. */
  static final long REVISIONS_PER_SECOND = 1_000_000;

  /** The folder of the cluster's certificates and keys. */
  private static final String CERTIFICATES = "pki";

  private static final Set<String> LEFT_BY_A_RESTORE =
      Set.of(
          DataDirectory.LOCK,
          DataDirectory.RESTORING,
          DataDirectory.RESTORING + "-wal",
          DataDirectory.RESTORING + "-shm",
          DataDirectory.RESTORING + "-journal");

  private Backup() {}

  /** Copies the store in a directory into a file that does not exist yet. */
  public static Summary backup(Path directory, Path file) {
    Path database = directory.resolve(DataDirectory.DATABASE);
    if (!Files.isRegularFile(database)) {
      throw new StoreException(
          "There is no store in %s: name the directory that holds berth.db.".formatted(directory));
    }
    OptionalLong acknowledged = Acknowledged.read(directory);
    return write(
        file,
        directory,
        partial -> {
          Totals totals = copy(database, Database::read, partial);
          Opening.checkNothingIsMissing(database, totals.revision(), acknowledged);
          return totals;
        });
  }

  /**
   * Copies what a store of another kind holds, as it is at this moment, into a file that does not
   * exist yet. Others may write meanwhile. Each object keeps its revision.
   *
   * @param encryption how objects are encrypted in the file
   * @param directory holds the keys of the cluster
   */
  public static Summary backup(
      Store store, ValueTransformer encryption, Path directory, Path file) {
    return write(
        file,
        directory,
        partial -> {
          new CopiedRows(store, encryption).writeTo(partial);
          return new DatabaseReader(partial, Database::readStill).read((_, _, _) -> {});
        });
  }

  /** Puts the objects into a file. */
  private interface Objects {
    Totals writeTo(Path file) throws IOException, SQLException;
  }

  private static Summary write(Path file, Path directory, Objects objects) {
    Path target = file.toAbsolutePath();
    Path folder = target.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new StoreException(
          "The directory of the backup %s does not exist: create it first.".formatted(file));
    }
    refuseExisting(target);
    try {
      Path partial = Files.createTempFile(folder, target.getFileName() + ".", ".partial");
      try {
        Totals totals = objects.writeTo(partial);
        addFiles(directory, partial, totals);
        DataDirectory.syncFile(partial);
        Files.move(partial, target);
        DataDirectory.sync(folder);
        return new Summary(totals.objects(), totals.revision(), Files.size(target));
      } finally {
        Files.deleteIfExists(partial);
      }
    } catch (FileAlreadyExistsException e) {
      throw existing(target);
    } catch (IOException | SQLException e) {
      throw unwritable(file, e);
    }
  }

  /**
   * Makes a store from a backup, in a directory that is empty or does not exist. Until it is
   * complete nothing there opens as a store; after an interruption it can simply be run again.
   *
   * @param now the time on the wall clock
   */
  public static Summary restore(Path file, Path directory, Instant now) {
    refuseMissing(file);
    BackupFiles files = new BackupFiles();
    Totals backup =
        new DatabaseReader(file, Database::readStill)
            .read((_, _, entry) -> {
              var _ = files.take(entry);
            });
    refuseFilled(directory, files);
    try (DataDirectory claimed = DataDirectory.claim(directory)) {
      Path restoring = claimed.path().resolve(DataDirectory.RESTORING);
      for (String name : LEFT_BY_A_RESTORE) {
        if (!name.equals(DataDirectory.LOCK)) {
          Files.deleteIfExists(claimed.path().resolve(name));
        }
      }
      Database.createOwnerFile(restoring);
      copy(file, Database::readStill, restoring);
      files.writeTo(claimed.path());
      Totals totals = rewrite(restoring, backup, files, firstRevision(backup, now));
      DataDirectory.syncFile(restoring);
      Files.move(restoring, claimed.database(), StandardCopyOption.ATOMIC_MOVE);
      Acknowledged.open(claimed.path(), totals.revision()).close();
      DataDirectory.sync(claimed.path());
      return new Summary(totals.objects(), totals.revision(), Files.size(claimed.database()));
    } catch (IOException e) {
      throw unwritable(directory, e);
    }
  }

  /** Copies one snapshot, then reads the copy from end to end. */
  private static Totals copy(Path from, DatabaseReader.Source source, Path to) {
    new DatabaseReader(from, source).copyTo(to);
    try {
      return new DatabaseReader(to, Database::readStill).read((id, hash, entry) -> {});
    } catch (StoreException e) {
      throw new StoreException(
          "The copy of %s is not sound, so it was not kept: check that store and the disks."
              .formatted(from),
          e);
    }
  }

  private static long firstRevision(Totals backup, Instant now) {
    return Math.max(
        backup.revision() + REVISIONS_SKIPPED, now.getEpochSecond() * REVISIONS_PER_SECOND);
  }

  /** Makes a store of a copy of a backup: no files, and later revisions. */
  private static Totals rewrite(Path database, Totals backup, BackupFiles files, long revision) {
    try (Connection connection = Database.write(database);
        PreparedStatement put = Database.prepareTotals(connection)) {
      Totals kept = files.removeFrom(connection, backup, backup.revision());
      Totals totals = new Totals(revision, kept.objects(), kept.sum());
      Database.putTotals(put, totals, new RowHash());
      return totals;
    } catch (SQLException e) {
      throw unwritable(database, e);
    }
  }

  /** The keys of the cluster go with its objects: others would not be trusted by its clients. */
  private static void addFiles(Path directory, Path copy, Totals totals) throws IOException {
    try {
      BackupFiles.read(directory, CERTIFICATES).addTo(copy, totals);
    } catch (SQLException e) {
      throw unwritable(copy, e);
    }
  }

  static void refuseMissing(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new StoreException("There is no backup %s: name an existing file.".formatted(file));
    }
  }

  private static void refuseExisting(Path target) {
    if (Files.exists(target)) {
      throw existing(target);
    }
  }

  private static StoreException existing(Path target) {
    return new StoreException(
        "%s exists already and is not overwritten: name a new file.".formatted(target));
  }

  private static void refuseFilled(Path directory, BackupFiles restored) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    boolean interrupted = Files.exists(directory.resolve(DataDirectory.RESTORING));
    try (Stream<Path> files = Files.list(directory)) {
      List<String> others =
          files
              .map(path -> path.getFileName().toString())
              .filter(name -> !LEFT_BY_A_RESTORE.contains(name))
              .filter(name -> !(interrupted && restored.hasFolder(name)))
              .sorted()
              .toList();
      if (!others.isEmpty()) {
        throw new StoreException(
            "The directory %s is not empty (it holds %s): restore into an empty or new directory."
                .formatted(directory, others.getFirst()));
      }
    } catch (IOException e) {
      throw DataDirectory.unusable(directory, e);
    }
  }

  private static StoreException unwritable(Path path, Exception cause) {
    return new StoreException(
        "%s could not be written: check the free space and the permissions.".formatted(path),
        cause);
  }
}
