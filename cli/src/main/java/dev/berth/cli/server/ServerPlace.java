package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.ServerFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The directory of a server. One that is not ephemeral keeps its data there; any keeps what others
 * find it by: {@code berth.pid}, the administrator's kubeconfig, and the log of one that runs in
 * the background.
 */
record ServerPlace(Path directory, boolean isEphemeral) {
  static final Option EPHEMERAL =
      Option.flag(
          "--ephemeral",
          "Keeps everything in memory, keys and certificates included: the cluster is gone when the"
              + " server stops.");

  static final String KUBECONFIG = "admin.kubeconfig";

  /** Where the agent of this machine keeps its state. */
  Path node() {
    return directory.resolve("node");
  }

  /** A file that tells the server, when it stops, to end this machine's pods. */
  Path stopPods() {
    return directory.resolve("stop-pods");
  }

  /** What to know about pods that outlive the server; nothing if there are none. */
  String goingOn(long pods) {
    if (pods == 0) {
      return "";
    }
    String them = pods == 1 ? "it" : "them";
    return " %s on: the next start finds %s again, and \"berth reset --data=%s\" ends %s."
        .formatted(
            pods == 1 ? "One pod of this machine goes" : pods + " pods of this machine go",
            them,
            directory,
            them);
  }

  /** The place of one that others shall find: by --data, or where such servers usually are. */
  static ServerPlace find(Arguments arguments) {
    boolean ephemeral = arguments.has(EPHEMERAL.name());
    boolean isNamed = arguments.has(DataOption.OPTION.name());
    return new ServerPlace(
        ephemeral && !isNamed ? DataOption.ephemeral() : DataOption.directory(arguments),
        ephemeral);
  }

  /** A new place that no other server has, in the directory for temporary files. */
  static ServerPlace temporary() {
    try {
      return new ServerPlace(Files.createTempDirectory("berth-"), true);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "No temporary directory can be created: %s".formatted(e.getMessage()), e);
    }
  }

  /** Refuses to ignore data that somebody may have wanted to serve. */
  void check() {
    if (isEphemeral && Files.exists(directory.resolve("berth.db"))) {
      throw new UsageException(
          "%s holds a cluster's data, which %s would ignore: name another directory, or leave out %s."
              .formatted(directory, EPHEMERAL.name(), EPHEMERAL.name()));
    }
  }

  /** Makes the directory, for its owner only. */
  void create() {
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The directory %s cannot be created: name another one.".formatted(directory), e);
    }
  }

  /** Removes what the server left, if it was ephemeral; whatever else is there stays. */
  void clean() {
    if (!isEphemeral) {
      return;
    }
    try {
      for (String file : List.of(KUBECONFIG, ServerFile.LOG)) {
        Files.deleteIfExists(directory.resolve(file));
      }
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // Not ours.
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be removed: %s".formatted(directory, e.getMessage()), e);
    }
  }
}
