package dev.berth.agent.server;

import dev.berth.agent.runtime.LogRotation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log file, across rotations: a file that was renamed while it is read ({@code
 * LOG.TIME}) is read to its end, then the one that was begun after it. For one thread.
 */
final class LogLines implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** A line that is longer is given in pieces. */
  private static final int MAX_LINE_BYTES = 256 * 1024;

  private final Path path;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
  private OpenFile open;
  private byte[] begun = new byte[0];

  /**
   * @throws NoSuchFileException if there is no such log
   */
  LogLines(Path path) throws IOException {
    this.path = path;
    this.open = openNewest();
  }

  private OpenFile openNewest() throws IOException {
    try {
      return OpenFile.of(path);
    } catch (NoSuchFileException e) {
      // Between two files there is none under the log's own name.
      List<Path> rotated = LogRotation.rotated(path);
      if (rotated.isEmpty()) {
        throw e;
      }
      return OpenFile.of(rotated.getLast());
    }
  }

  /** A file that is read, and which one it is, whatever its name becomes. */
  private record OpenFile(FileChannel channel, @Nullable Object key) {
    static OpenFile of(Path path) throws IOException {
      while (true) {
        Object before = LogLines.key(path);
        FileChannel channel = FileChannel.open(path);
        if (Objects.equals(keyOrNone(path), before)) {
          return new OpenFile(channel, before);
        }
        // Put aside meanwhile: what is open may be this one or the next.
        channel.close();
      }
    }

    private static @Nullable Object keyOrNone(Path path) throws IOException {
      try {
        return LogLines.key(path);
      } catch (NoSuchFileException _) {
        return null;
      }
    }
  }

  private static @Nullable Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** Skips all but the last lines of the file. */
  void skipToLast(long lines) throws IOException {
    long position = open.channel().size();
    ByteBuffer piece = ByteBuffer.allocate(BUFFER_BYTES);
    long found = 0;
    // What ends the last line does not begin another one.
    boolean atEnd = true;
    while (position > 0) {
      long from = Math.max(0, position - BUFFER_BYTES);
      piece.clear().limit((int) (position - from));
      readFully(piece, from);
      for (int i = piece.limit() - 1; i >= 0; i--) {
        if (piece.get(i) == '\n' && !atEnd && ++found >= lines) {
          open.channel().position(from + i + 1);
          return;
        }
        if (lines == 0) {
          open.channel().position(from + piece.limit());
          return;
        }
        atEnd = false;
      }
      position = from;
    }
    open.channel().position(0);
  }

  private void readFully(ByteBuffer piece, long from) throws IOException {
    while (piece.hasRemaining() && open.channel().read(piece, from + piece.position()) >= 0) {
      // Files that are being written never shrink here.
    }
  }

  /**
   * The next line, with its end.
   *
   * @return empty if there is none yet
   */
  Optional<byte[]> next() throws IOException {
    while (true) {
      int length = lineLength();
      if (length >= 0) {
        return Optional.of(take(length));
      }
      if (begun.length + buffer.remaining() >= MAX_LINE_BYTES) {
        return Optional.of(take(buffer.remaining()));
      }
      begun = take(buffer.remaining());
      buffer.clear();
      int read = open.channel().read(buffer);
      buffer.flip();
      if (read <= 0 && !goOn()) {
        return Optional.empty();
      }
    }
  }

  /** A last line that has no end. */
  byte[] rest() {
    byte[] rest = begun;
    begun = new byte[0];
    return rest;
  }

  private int lineLength() {
    for (int i = buffer.position(); i < buffer.limit(); i++) {
      if (buffer.get(i) == '\n') {
        return i + 1 - buffer.position();
      }
    }
    return -1;
  }

  /** What was begun and so many bytes more. */
  private byte[] take(int length) {
    byte[] line = Arrays.copyOf(begun, begun.length + length);
    buffer.get(line, begun.length, length);
    begun = new byte[0];
    return line;
  }

  /** Whether another file was begun, which is read from now on. */
  private boolean goOn() throws IOException {
    try {
      if (Objects.equals(key(path), open.key())) {
        return false;
      }
      // Whoever renamed it may have written to it in between.
      buffer.clear();
      int read = open.channel().read(buffer);
      buffer.flip();
      if (read > 0) {
        return true;
      }
      Path next = successor();
      OpenFile opened = OpenFile.of(next);
      open.channel().close();
      open = opened;
      return true;
    } catch (NoSuchFileException _) {
      // It is being renamed at this moment, or was removed with its container.
      return false;
    }
  }

  /**
   * The file that was begun after the one that is open. Those that were put aside are named after
   * the time of that; if the open one is not among them any more, the oldest comes next.
   */
  private Path successor() throws IOException {
    List<Path> rotated = LogRotation.rotated(path);
    for (int i = rotated.size() - 1; i >= 0; i--) {
      if (Objects.equals(key(rotated.get(i)), open.key())) {
        return i + 1 < rotated.size() ? rotated.get(i + 1) : path;
      }
    }
    return rotated.isEmpty() ? path : rotated.getFirst();
  }

  @Override
  public void close() throws IOException {
    open.channel().close();
  }
}
