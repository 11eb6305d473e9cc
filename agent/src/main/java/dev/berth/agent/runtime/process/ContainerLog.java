package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.LogRotation;
import dev.berth.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;

/**
 * A container's log in CRI's form: {@code TIME stdout|stderr F|P TEXT}, where P says that the line
 * goes on in the next record of its stream. What was read is written at once, as P if the line has
 * not ended, so that nothing is lost with the agent. For one thread.
 */
final class ContainerLog implements AutoCloseable {
  /** Longer lines are cut into records, as containerd does. */
  private static final int LONGEST_RECORD = 16 * 1024;

  private static final DateTimeFormatter RECORD_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

  private static final Set<StandardOpenOption> OPEN =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);

  /** As containerd has it: directories of logs can be read by all users of the machine. */
  private static final FileAttribute<Set<PosixFilePermission>> NOT_FOR_EVERYBODY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

  private final Path file;
  private final LogRotation rotation;
  private final Time time;
  private FileChannel channel;
  private long size;

  ContainerLog(Path file, LogRotation rotation, Time time) throws IOException {
    this.file = file;
    this.rotation = rotation;
    this.time = time;
    Files.createDirectories(file.resolveSibling(""));
    channel = open();
    size = channel.size();
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(file, OPEN, NOT_FOR_EVERYBODY);
  }

  /**
   * @param stream {@code stdout} or {@code stderr}
   */
  void write(String stream, byte[] bytes, int length) throws IOException {
    Instant now = time.now();
    byte[] prefix =
        (RECORD_TIME.format(now) + " " + stream + " ").getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream records = new ByteArrayOutputStream(length + 4 * prefix.length);
    int from = 0;
    while (from < length) {
      int end = from;
      while (end < length && bytes[end] != '\n' && end - from < LONGEST_RECORD) {
        end++;
      }
      boolean isWhole = end < length && bytes[end] == '\n';
      records.write(prefix, 0, prefix.length);
      records.write(isWhole ? 'F' : 'P');
      records.write(' ');
      records.write(bytes, from, end - from);
      records.write('\n');
      from = isWhole ? end + 1 : end;
    }
    ByteBuffer buffer = ByteBuffer.wrap(records.toByteArray());
    while (buffer.hasRemaining()) {
      size += channel.write(buffer);
    }
  }

  Path file() {
    return file;
  }

  long size() {
    return size;
  }

  /** What was written from a size on, as it was read; a record that is not whole is left out. */
  byte[] since(long from) throws IOException {
    byte[] all = Files.readAllBytes(file);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    int begin = (int) Math.min(from, all.length);
    for (int i = begin; i < all.length; i++) {
      if (all[i] == '\n') {
        // The time, the stream and the mark have no spaces in them.
        int text = begin;
        for (int spaces = 0; spaces < 3 && text < i; text++) {
          spaces += all[text] == ' ' ? 1 : 0;
        }
        content.write(all, text, i - text);
        if (all[text - 2] == 'F') {
          content.write('\n');
        }
        begin = i + 1;
      }
    }
    return content.toByteArray();
  }

  /** Forgets what was written from a size on. */
  void cut(long to) throws IOException {
    if (to < size) {
      try (FileChannel whole = FileChannel.open(file, StandardOpenOption.WRITE)) {
        whole.truncate(to);
      }
      size = to;
    }
  }

  /** Begins the next file if this one is full. */
  void rotateIfFull() throws IOException {
    if (size >= rotation.maxBytes()) {
      rotate(time.now());
    }
  }

  /** If the next file cannot be made, this one goes on under the name that it has by then. */
  private void rotate(Instant now) throws IOException {
    if (Files.exists(file)) {
      Files.move(file, LogRotation.aside(file, now));
    }
    FileChannel next = open();
    channel.close();
    channel = next;
    size = 0;
    rotation.deleteOldest(file);
  }

  /** Deletes a log with all files that were put aside. */
  static void delete(Path log) throws IOException {
    if (Files.exists(log)) {
      for (Path old : LogRotation.rotated(log)) {
        Files.deleteIfExists(old);
      }
      Files.deleteIfExists(log);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
