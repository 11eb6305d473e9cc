package dev.berth.store.embedded;

import dev.berth.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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

  private static final Pattern FORMAT = Pattern.compile("([0-9]{19}) ([0-9a-f]{8})\n");

  private final Path file;
  private final FileChannel channel;

  private Acknowledged(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** What a directory's file says, if it has one. */
  static OptionalLong read(Path directory) {
    Path file = directory.resolve(NAME);
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      Matcher matcher = FORMAT.matcher(text);
      if (matcher.matches() && text.equals(format(Long.parseLong(matcher.group(1))))) {
        return OptionalLong.of(Long.parseLong(matcher.group(1)));
      }
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw new StoreException("The file %s cannot be read.".formatted(file), e);
    } catch (NumberFormatException e) {
      // Nineteen digits that are no long: damaged, like any other text that does not fit.
    }
    throw new StoreException(
        ("The file %s is damaged, so nobody can tell whether the newest writes are all there: restore"
                + " a backup, or delete that file to go on with what the database holds.")
            .formatted(file));
  }

  /**
   * Opens the file for writing; a revision below the one it holds must have been refused before.
   */
  static Acknowledged open(Path directory, long revision) throws IOException {
    Path file = directory.resolve(NAME);
    if (Files.exists(file)) {
      var opened = new Acknowledged(file, FileChannel.open(file, StandardOpenOption.WRITE));
      opened.write(revision);
      return opened;
    }
    Path fresh = directory.resolve(NAME + ".new");
    Files.deleteIfExists(fresh);
    Database.createOwnerFile(fresh);
    Files.writeString(fresh, format(revision), StandardCharsets.ISO_8859_1);
    DataDirectory.syncFile(fresh);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    DataDirectory.sync(directory);
    return new Acknowledged(file, FileChannel.open(file, StandardOpenOption.WRITE));
  }

  void write(long revision) throws IOException {
    ByteBuffer text = StandardCharsets.ISO_8859_1.encode(format(revision));
    while (text.hasRemaining()) {
      channel.write(text, text.position());
    }
  }

  void sync() throws IOException {
    channel.force(false);
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
      channel.close();
    } catch (IOException e) {
      throw new StoreException("The file %s could not be closed.".formatted(file), e);
    }
  }
}
