package dev.berth.cli.running;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which process a PID stands for. PIDs are used again, so a process is known by its PID and by when
 * it started.
 *
 * @param started differs between two processes that have the same PID
 */
public record ProcessIdentity(long pid, String started) {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  /** Behind the name in /proc/PID/stat, which may itself hold blanks and brackets. */
  private static final int START_FIELD = 19;

  public static ProcessIdentity current() {
    ProcessHandle self = ProcessHandle.current();
    return new ProcessIdentity(self.pid(), started(self));
  }

  /** The process, if it is still there. */
  public Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> started(process).equals(started));
  }

  /** On Linux in ticks since the system started, since the wall clock may have been set. */
  private static String started(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return fields[START_FIELD] + "@" + Files.readString(BOOT).strip();
    } catch (IOException | IndexOutOfBoundsException e) {
      return process.info().startInstant().map(Object::toString).orElse("unknown");
    }
  }
}
