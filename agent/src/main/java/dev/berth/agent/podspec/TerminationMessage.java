package dev.berth.agent.podspec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * What a container leaves to say when it ends: the content of a file, which is mounted into it; or
 * the end of its log if it failed without a word and wants that. Blocks.
 */
public final class TerminationMessage {
  static final String PATH_FIELD = "terminationMessagePath";
  static final String DEFAULT_PATH = "/dev/termination-log";

  private static final int LONGEST = 4096;
  private static final int LONGEST_OF_LOG = 2048;
  private static final int MOST_LINES_OF_LOG = 80;

  /** How much of a log is looked at: its lines have a time and a stream in front of them. */
  private static final int LOG_TAIL = 16 << 10;

  private TerminationMessage() {}

  static Path file(SpecSettings settings, String podUid, String container, int attempt) {
    return settings
        .podDirectory(podUid)
        .resolve(SpecFiles.CONTAINERS)
        .resolve(container)
        .resolve(attempt + ".termination");
  }

  /** Makes the file that is mounted into a container, for every user to write to. */
  static void create(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
  }

  /** What a container that has ended left to say; empty if nothing. */
  public static String read(
      SpecSettings settings, String podUid, JsonObject container, ContainerStatus status) {
    Path file = file(settings, podUid, status.name(), status.attempt());
    String message = tail(file, LONGEST);
    ContainerStatus.Exit exit = status.exit();
    boolean failed = exit != null && exit.code() != 0;
    boolean wantsLog =
        container.text("terminationMessagePolicy", "").equals("FallbackToLogsOnError");
    return message.isEmpty() && failed && wantsLog && !status.logFile().isEmpty()
        ? lastLines(Path.of(status.logFile()))
        : message;
  }

  /** What was written without an end of line at last, or in several pieces, has none here. */
  private static String lastLines(Path log) {
    List<String[]> lines =
        tail(log, LOG_TAIL)
            .lines()
            .map(line -> line.split(" ", 4))
            .filter(parts -> parts.length == 4)
            .toList();
    StringBuilder text = new StringBuilder();
    for (String[] parts :
        lines.subList(Math.max(0, lines.size() - MOST_LINES_OF_LOG), lines.size())) {
      text.append(parts[3]).append(parts[2].startsWith("P") ? "" : "\n");
    }
    return text.substring(Math.max(0, text.length() - LONGEST_OF_LOG));
  }

  /** The end of a file. A file that cannot be read says nothing. */
  private static String tail(Path file, int most) {
    try (SeekableByteChannel channel = Files.newByteChannel(file, StandardOpenOption.READ)) {
      long size = channel.size();
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(size, most));
      channel.position(Math.max(0, size - most));
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // A read may bring less than there is.
      }
      return new String(bytes.array(), 0, bytes.position(), UTF_8);
    } catch (IOException _) {
      return "";
    }
  }
}
