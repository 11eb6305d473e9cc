package dev.berth.cli.machines;

import dev.berth.cli.Await;
import java.util.List;

/** What runs on this machine, containers included: they are processes like others. */
final class Processes {
  private Processes() {}

  /**
   * Manifests and commands in which each number from 87000 to 87999 has become one that no other
   * run of the tests has: for how long something sleeps, and by that it is found.
   */
  static String own(String text) {
    return text.replaceAll("\\b87\\d{3}\\b", "$0" + ProcessHandle.current().pid());
  }

  /** Those whose command ends like this, with numbers of this run's {@linkplain #own own}. */
  static List<ProcessHandle> of(String command) {
    String end = own(command);
    return ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").endsWith(end))
        .toList();
  }

  /** Kills the only one of a command; returns when there is another one. */
  static void replace(String command) {
    ProcessHandle before = of(command).getFirst();
    before.destroyForcibly();
    Await.until(
        "another \"" + command + "\"",
        () -> of(command).stream().anyMatch(each -> each.pid() != before.pid()));
  }
}
