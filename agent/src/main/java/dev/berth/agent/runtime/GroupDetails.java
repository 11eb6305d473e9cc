package dev.berth.agent.runtime;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a group may use, and what it has used since it is there: more than is looked at every few
 * seconds.
 *
 * @param disks what was read and written; none where the kernel does not count it by groups
 */
public record GroupDetails(Cpu cpu, Memory memory, List<Disk> disks) {
  public GroupDetails {
    disks = List.copyOf(disks);
  }

  /**
   * Processors.
   *
   * @param periods in which it had a limit and something to do
   * @param quotaMicros of each period; empty if there is no limit
   */
  public record Cpu(
      long userNanos,
      long systemNanos,
      long periods,
      long throttledPeriods,
      long throttledNanos,
      long shares,
      OptionalLong quotaMicros,
      long periodMicros) {}

  /**
   * Memory, in bytes.
   *
   * @param most that was used at once
   * @param limitHits how often the limit was reached
   */
  public record Memory(
      long cache, long mappedFile, long activeFile, long inactiveFile, long most, long limitHits) {}

  /**
   * A disk.
   *
   * @param number such as {@code 8:0}
   */
  public record Disk(String number, long readBytes, long writtenBytes, long reads, long writes) {}
}
