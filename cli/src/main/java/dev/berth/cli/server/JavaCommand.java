package dev.berth.cli.server;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line for another process of this program. */
final class JavaCommand {
  private static final String MAIN = "dev.berth.cli.Main";

  private JavaCommand() {}

  /**
   * Berth with other words, on the same JVM with the same flags. They come from the JVM itself:
   * what the system knows of a long command line is cut off.
   */
  static List<String> berth(List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    command.addAll(words);
    return command;
  }

  /** The same in a session of its own, so that it does not end with its terminal. */
  static List<String> detached(List<String> command) {
    for (String wrapper : List.of("/usr/bin/setsid", "/usr/bin/nohup")) {
      if (Files.isExecutable(Path.of(wrapper))) {
        List<String> wrapped = new ArrayList<>(List.of(wrapper));
        wrapped.addAll(command);
        return wrapped;
      }
    }
    return command;
  }
}
