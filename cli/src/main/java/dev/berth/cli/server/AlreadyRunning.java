package dev.berth.cli.server;

import dev.berth.cli.running.ServerFile;
import java.nio.file.Path;

/** The message for somebody who starts a second server in a directory. */
final class AlreadyRunning {
  private AlreadyRunning() {}

  static String message(Path directory, ServerFile server) {
    return "A server is already running in %s (process %d): stop it with \"berth down --data %s\", or name another directory with --data."
        .formatted(directory, server.process().pid(), directory);
  }
}
