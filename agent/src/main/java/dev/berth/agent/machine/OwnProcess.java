package dev.berth.agent.machine;

import java.nio.file.Path;
import java.util.List;

/**
 * What this process uses, by what the kernel says of it.
 *
 * @param residentBytes of memory, of which files have a part
 * @param pageFaults that needed no disk and that did
 */
public record OwnProcess(
    long cpuNanos,
    long residentBytes,
    long anonymousBytes,
    long swapBytes,
    long threads,
    long pageFaults,
    long majorPageFaults) {

  private static final long KIBIBYTE = 1024;

  /** Where {@code stat} has what stands behind the process's name. */
  private static final int MINOR_FAULTS = 7;

  private static final int MAJOR_FAULTS = 9;
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  static OwnProcess read(Path self) {
    String stat = MachineRoots.text(self.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    List<String> status = MachineRoots.lines(self.resolve("status"));
    long major = number(fields, MAJOR_FAULTS);
    return new OwnProcess(
        (number(fields, USER_TICKS) + number(fields, SYSTEM_TICKS)) * MachineReader.NANOS_OF_A_TICK,
        field(status, "VmRSS:") * KIBIBYTE,
        field(status, "RssAnon:") * KIBIBYTE,
        field(status, "VmSwap:") * KIBIBYTE,
        field(status, "Threads:"),
        number(fields, MINOR_FAULTS) + major,
        major);
  }

  private static long number(String[] fields, int index) {
    return index < fields.length ? MachineRoots.number(fields[index]).orElse(0) : 0;
  }

  private static long field(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> line.substring(name.length()).replace("kB", ""))
        .map(text -> MachineRoots.number(text).orElse(0))
        .orElse(0L);
  }
}
