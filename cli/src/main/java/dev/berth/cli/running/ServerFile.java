package dev.berth.cli.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The file in its directory by which other commands find a running server.
 *
 * @param isEphemeral whether its directory holds nothing that is worth keeping
 * @param isComplete whether it has started all that it is to start, or failed to
 * @param shared those of its options, by their names, that other servers of the cluster need too
 */
public record ServerFile(
    ProcessIdentity process,
    boolean isEphemeral,
    boolean isComplete,
    Path kubeconfig,
    Map<String, String> shared) {
  public ServerFile {
    shared = Collections.unmodifiableMap(new TreeMap<>(shared));
  }

  /** The name of the file, the process's number on its first line. */
  public static final String NAME = "berth.pid";

  /** What a server in the background logs to, in the same directory. */
  public static final String LOG = "berth.log";

  /** The server that runs in a directory, if one does; a file of one that died says nothing. */
  public static Optional<ServerFile> read(Path directory) {
    return parse(directory).filter(server -> server.process().find().isPresent());
  }

  /**
   * Where the administrator's kubeconfig of a directory's server is: the one that runs may have
   * been told to write it elsewhere.
   */
  public static Path kubeconfigIn(Path directory) {
    return read(directory)
        .map(ServerFile::kubeconfig)
        .orElseGet(() -> directory.resolve("admin.kubeconfig"));
  }

  private static Optional<ServerFile> parse(Path directory) {
    if (!Files.exists(directory.resolve(NAME))) {
      return Optional.empty();
    }
    try {
      List<String> lines = Files.readAllLines(directory.resolve(NAME));
      Map<String, String> values = new HashMap<>();
      Map<String, String> shared = new HashMap<>();
      for (String line : lines.subList(1, lines.size())) {
        int equals = line.indexOf('=');
        (line.startsWith("--") ? shared : values)
            .put(line.substring(0, equals), line.substring(equals + 1));
      }
      return Optional.of(
          new ServerFile(
              new ProcessIdentity(
                  Long.parseLong(lines.getFirst()), values.getOrDefault("started", "")),
              Boolean.parseBoolean(values.get("ephemeral")),
              Boolean.parseBoolean(values.get("complete")),
              Path.of(values.getOrDefault("kubeconfig", "")),
              shared));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be read: %s".formatted(directory.resolve(NAME), e.getMessage()), e);
    } catch (RuntimeException e) {
      // Somebody else's file, or half of one: nobody can be found by it.
      return Optional.empty();
    }
  }

  /** Replaces the file, whole or not at all. */
  public void write(Path directory) {
    String text =
        """
        %d
        started=%s
        ephemeral=%s
        complete=%s
        kubeconfig=%s
        %s\
        """
            .formatted(
                process.pid(),
                process.started(),
                isEphemeral,
                isComplete,
                kubeconfig.toAbsolutePath(),
                shared.entrySet().stream()
                    .map(each -> each.getKey() + "=" + each.getValue() + "\n")
                    .collect(Collectors.joining()));
    try {
      Path draft =
          Files.createTempFile(
              directory,
              ".berth",
              ".pid",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(draft, text);
      Files.move(draft, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be written: %s".formatted(directory.resolve(NAME), e.getMessage()), e);
    }
  }

  /** Forgets the server that ran in a directory. */
  public static void remove(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(NAME));
    } catch (IOException e) {
      // Whoever reads it sees that the process is gone.
    }
  }
}
