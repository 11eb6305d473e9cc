package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.server.SystemLogs.Output;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the machine's services have logged: by journalctl if the journal knows a service, or else in
 * one of the files that services usually log to.
 */
final class ServiceLogs {
  private static final int PIECE = 1 << 16;
  private static final long LONGEST_SECONDS = 30;

  private final Path directory;

  /**
   * @param directory such as {@code /var/log}
   */
  ServiceLogs(Path directory) {
    this.directory = directory;
  }

  /** Copies what is asked for; what cannot be had is said in the text. */
  void copy(SystemLogQuery query, Output out) throws IOException {
    List<String> inJournal = new ArrayList<>();
    List<String> inFiles = new ArrayList<>();
    String units = units();
    for (String service : query.services()) {
      (units.contains(service + ".service") ? inJournal : inFiles).add(service);
    }
    if (!inJournal.isEmpty()) {
      run(query.journalctl(inJournal), out);
    }
    if (!inFiles.isEmpty() && query.choosesLines()) {
      say(
          out,
          "options present and query resolved to log files for [%s]\ntry without specifying options"
              .formatted(String.join(" ", inFiles)));
      return;
    }
    for (String service : inFiles) {
      copyFile(service, out);
    }
  }

  private static void say(Output out, String text) {
    out.write(("\n" + text + "\n").getBytes(UTF_8));
  }

  /** The units that the journal knows; none where there is no journal. */
  private static String units() {
    StringBuilder said = new StringBuilder();
    try {
      run(
          List.of("journalctl", "--field", "_SYSTEMD_UNIT"),
          bytes -> {
            said.append(new String(bytes, UTF_8));
            return true;
          });
    } catch (IOException e) {
      return "";
    }
    return said.toString();
  }

  private static void run(List<String> command, Output out) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var _ =
        process
            .onExit()
            .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS)
            .whenComplete((_, late) -> {
              if (late != null) {
                process.destroyForcibly();
              }
            });
    try (InputStream in = process.getInputStream()) {
      process.getOutputStream().close();
      byte[] piece = in.readNBytes(PIECE);
      while (piece.length > 0 && out.write(piece)) {
        piece = in.readNBytes(PIECE);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private void copyFile(String service, Output out) throws IOException {
    Optional<Path> found =
        Stream.of(service, service + ".log", service + "/" + service + ".log")
            .map(directory::resolve)
            .filter(Files::isRegularFile)
            .filter(this::isOneOfOurs)
            .findFirst();
    if (found.isPresent()) {
      SystemLogs.copy(found.get().toRealPath(), out);
    } else {
      say(out, "log not found for " + service);
    }
  }

  /** Services are called what their clients say, and links lead anywhere. */
  private boolean isOneOfOurs(Path file) {
    try {
      return file.toRealPath().startsWith(directory.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }
}
