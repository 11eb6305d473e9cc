package dev.berth.store.embedded;

import dev.berth.store.HistoryLimits;
import dev.berth.store.StoreException;
import dev.berth.store.Timeline;
import dev.berth.store.TimelineStore;
import dev.berth.store.Unreadable;
import dev.berth.store.embedded.ValueTransformer.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a backup holds, as a store to be read: for those that restore it into a store of another
 * kind. It is read from end to end, and verified, when it is opened.
 */
public final class BackupContents extends TimelineStore {
  private final BackupFiles files;

  private BackupContents(Timeline timeline, BackupFiles files) {
    super(timeline);
    this.files = files;
  }

  /**
   * Reads a backup.
   *
   * @param encryption how objects are encrypted in it
   */
  public static BackupContents open(Path file, ValueTransformer encryption) {
    Backup.refuseMissing(file);
    BackupFiles files = new BackupFiles();
    List<Entry> entries = new ArrayList<>();
    Totals totals =
        new DatabaseReader(file, Database::readStill)
            .read((_, _, entry) -> {
              if (!files.take(entry)) {
                entries.add(decrypted(entry, encryption));
              }
            });
    entries.sort(Comparator.comparing(Entry::key));
    return new BackupContents(
        Timeline.of(entries.toArray(Entry[]::new), totals.revision(), HistoryLimits.DEFAULT),
        files);
  }

  private static Entry decrypted(Entry stored, ValueTransformer encryption) {
    return switch (encryption.read(stored.key(), stored.value())) {
      case Reading.Value(byte[] value, _) -> new Entry(stored.key(), value, stored.revision());
      case Reading.Unreadable(String why) -> Unreadable.mark(stored, why);
    };
  }

  /**
   * Puts the cluster's keys into a directory, which does not hold others.
   *
   * @throws StoreException if it does
   */
  public void writeFiles(Path directory) {
    try {
      for (String folder : files.folders()) {
        Path taken = directory.resolve(folder);
        if (Files.exists(taken) && !BackupFiles.read(directory, folder).isPartOf(files)) {
          throw new StoreException(
              "%s holds other keys than the backup: name a new or empty directory by --data."
                  .formatted(taken));
        }
      }
      Files.createDirectories(directory);
      files.writeTo(directory);
    } catch (IOException e) {
      throw new StoreException(
          "%s could not be written: check the free space and the permissions.".formatted(directory),
          e);
    }
  }

  @Override
  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    throw new UnsupportedOperationException("a backup is not written to");
  }

  @Override
  public WriteResult delete(String key, long expected, List<Guard> guards) {
    throw new UnsupportedOperationException("a backup is not written to");
  }

  @Override
  public void close() {
    endReading().forEach(Runnable::run);
  }
}
