package dev.berth.store.embedded;

import dev.berth.store.StoreException;
import java.nio.file.Path;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * What a failed transaction means.
 *
 * <ul>
 *   <li>{@link Refused}: SQLite found no room before it wrote the transaction's end, so nothing was
 *       kept, and the next one may well succeed.
 *   <li>{@link Busy}: another program held the database for so long that the transaction did not
 *       begin. Nothing was kept, and the others of its batch would fare no better.
 *   <li>{@link Unknown}: anything else, a failed sync above all. The kernel may have dropped what
 *       it could not write, so neither "kept" nor "not kept" can be said, nor anything be built on
 *       it.
 * </ul>
 */
sealed interface WriteFailure {
  StoreException exception();

  record Refused(StoreException exception) implements WriteFailure {}

  record Busy(StoreException exception) implements WriteFailure {}

  record Unknown(StoreException exception) implements WriteFailure {}

  static WriteFailure of(Exception cause, Path directory) {
    if (cause instanceof SQLiteException sqlite) {
      SQLiteErrorCode code = sqlite.getResultCode();
      if (code == SQLiteErrorCode.SQLITE_FULL) {
        return new Refused(
            new StoreException(DataDirectory.full(directory) + " Nothing of this write was kept."));
      }
      if (code == SQLiteErrorCode.SQLITE_TOOBIG) {
        return new Refused(
            new StoreException(
                "The value is larger than a store can hold. Nothing of this write was kept.",
                cause));
      }
    }
    return unknown(cause, directory);
  }

  static Busy busy(Path directory) {
    return new Busy(
        new StoreException(
            ("The database in %s is locked by another program: end that program. Nothing of this"
                    + " write was kept.")
                .formatted(directory)));
  }

  static Unknown unknown(Throwable cause, Path directory) {
    return new Unknown(
        new StoreException(
            ("Writing to %s failed, and whether this write was kept is unknown: check the disk, then"
                    + " restart.")
                .formatted(directory),
            cause));
  }
}
