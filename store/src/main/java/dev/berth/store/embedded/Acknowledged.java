package dev.berth.store.embedded;

import dev.berth.store.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The newest revision whose writer was told that it is durable, in a small file beside the
 * database.
 *
 * <p>SQLite takes a damaged frame of its log for the end of the log and says nothing, so writes
 * that were acknowledged could vanish without a trace. This file is the trace: a database that
 * opens at an older revision is refused.
 *
 * <p>It is written after each commit and never synced while the store runs:
 *
 * <ul>
 *   <li>The number is never ahead of what is durable, so a healthy store is never refused.
 *   <li>Killing the process loses nothing: the number is in the page cache. After a power failure
 *       it may be an older one, which weakens the check and is otherwise harmless. Its block was
 *       allocated and synced when the file was made, so it does not come back empty or as zeros.
 *   <li>Hence a file that is there but cannot be read was damaged, and the store is refused: the
 *       newest writes might be missing, and nobody could tell.
 *   <li>A file that is not there is made anew from the database. That is how a database copied
 *       alone is opened, and how an operator says that what the database holds is good enough.
 *   <li>Files copied from under a running server, one after the other, fail this check or the
 *       totals' unless they happen to fit together. {@link Backup} is how to copy.
 * </ul>
 */
final class Acknowledged implements AutoCloseable {

  static final String NAME = "acknowledged";

  private static final int ATTEMPTS = 10;

  private static final Pattern FORMAT = Pattern.compile("([0-9]{19}) ([0-9a-f]{8})\n");

  private final Path file;

  /** Not a channel: an interrupt of a thread that writes would close it, and end all writing. */
  private final RandomAccessFile opened;

  private Acknowledged(Path file) throws IOException {
    this.file = file;
    this.opened = new RandomAccessFile(file.toFile(), "rw");
  }

  /** What a directory's file says, if it has one. */
  static OptionalLong read(Path directory) {
    Path file = directory.resolve(NAME);
    // A backup reads while the server writes, and may then see half of each of two numbers.
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        OptionalLong revision = parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (revision.isPresent()) {
          return revision;
        }
      } catch (NoSuchFileException e) {
        return OptionalLong.empty();
      } catch (IOException e) {
        throw new StoreException("The file %s cannot be read.".formatted(file), e);
      }
    }
    throw new StoreException(
        ("The file %s is damaged, so nobody can tell whether the newest writes are all there: restore"
                + " a backup, or delete that file to go on with what the database holds.")
            .formatted(file));
  }

  private static OptionalLong parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    try {
      if (matcher.matches() && text.equals(format(Long.parseLong(matcher.group(1))))) {
        return OptionalLong.of(Long.parseLong(matcher.group(1)));
      }
    } catch (NumberFormatException e) {
      // Nineteen digits that are no long: damaged, like any other text that does not fit.
    }
    return OptionalLong.empty();
  }

  /**
   * Opens the file for writing; a revision below the one it holds must have been refused before.
   */
  static Acknowledged open(Path directory, long revision) throws IOException {
    Path file = directory.resolve(NAME);
    if (Files.exists(file)) {
      var acknowledged = new Acknowledged(file);
      acknowledged.write(revision);
      return acknowledged;
    }
    Path fresh = directory.resolve(NAME + ".new");
    Files.deleteIfExists(fresh);
    Database.createOwnerFile(fresh);
    Files.writeString(fresh, format(revision), StandardCharsets.ISO_8859_1);
    DataDirectory.syncFile(fresh);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    DataDirectory.sync(directory);
    return new Acknowledged(file);
  }

  void write(long revision) throws IOException {
    opened.seek(0);
    opened.write(format(revision).getBytes(StandardCharsets.ISO_8859_1));
  }

  void sync() throws IOException {
    opened.getFD().sync();
  }

  private static String format(long revision) {
    String digits = Long.toString(revision);
    String number = "0".repeat(19 - digits.length()) + digits;
    var crc = new CRC32C();
    crc.update(number.getBytes(StandardCharsets.ISO_8859_1));
    String sum = Long.toHexString(crc.getValue());
    return number + ' ' + "0".repeat(8 - sum.length()) + sum + '\n';
  }

  @Override
  public void close() {
    try {
      opened.close();
    } catch (IOException e) {
      throw new StoreException("The file %s could not be closed.".formatted(file), e);
    }
  }
}
