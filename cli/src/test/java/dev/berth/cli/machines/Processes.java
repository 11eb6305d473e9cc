package dev.berth.cli.machines;

import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What runs on this machine, containers included: they are processes like others. */
final class Processes {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private Processes() {}

  /** Those whose command ends like this. */
  static List<ProcessHandle> of(String command) {
    return ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").endsWith(command))
        .toList();
  }

  /** Waits until something outside of any cluster has happened. */
  static void await(String what, BooleanSupplier condition) {
    try (WallTime time = new WallTime(FatalError::end)) {
      Instant began = time.monotonicNow();
      while (!condition.getAsBoolean()) {
        if (time.since(began).compareTo(PATIENCE) > 0) {
          throw new AssertionError("In vain waited for: " + what);
        }
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
    }
  }

  /** Kills the only one of a command; returns when there is another one. */
  static void replace(String command) {
    ProcessHandle before = of(command).getFirst();
    before.destroyForcibly();
    await(
        "another \"" + command + "\"",
        () -> of(command).stream().anyMatch(each -> each.pid() != before.pid()));
  }
}
