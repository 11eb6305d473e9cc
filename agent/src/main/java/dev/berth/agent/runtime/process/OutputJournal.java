package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * What of a container's output is on its way from a pipe to the log. It is in the file before it is
 * in the log, and until it is out of the pipe; so the next agent can tell what was lost or would be
 * repeated when one is killed in between.
 */
final class OutputJournal implements AutoCloseable {
  /** An entry is written over the last one, as a whole. */
  private static final int ENTRY_BYTES = 48;

  private final FileChannel channel;

  /**
   * @param stream {@code stdout} or {@code stderr}
   * @param logSize of the log before it is written
   * @param length in bytes, as they were in the pipe
   */
  record Entry(String stream, long logSize, int length) {}

  OutputJournal(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  void begin(Entry entry) throws IOException {
    write("%s %d %d".formatted(entry.stream, entry.logSize, entry.length));
  }

  void done() throws IOException {
    write("");
  }

  private void write(String text) throws IOException {
    byte[] bytes = new byte[ENTRY_BYTES];
    byte[] content = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(content, 0, bytes, 0, content.length);
    channel.write(ByteBuffer.wrap(bytes), 0);
  }

  /** What an earlier agent had begun and not done. */
  static Optional<Entry> read(Path file) throws IOException {
    String text =
        Files.exists(file)
            ? Files.readString(file, StandardCharsets.US_ASCII).replace("\0", "").strip()
            : "";
    String[] words = text.split(" ", -1);
    return words.length == 3
        ? Optional.of(new Entry(words[0], Long.parseLong(words[1]), Integer.parseInt(words[2])))
        : Optional.empty();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
