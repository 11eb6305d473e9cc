package dev.berth.agent.runtime;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a pod uses.
 *
 * @param network empty for a pod that has the machine's
 */
public record PodUsage(
    PodId pod, Usage total, List<OfContainer> containers, List<Interface> network) {

  /**
   * What a container uses.
   *
   * @param root what it has written to its root
   */
  public record OfContainer(String name, Usage usage, Files root, Files logs) {}

  /** What files take. */
  public record Files(long bytes, long inodes) {
    public static final Files NONE = new Files(0, 0);

    public Files plus(Files other) {
      return new Files(bytes + other.bytes, inodes + other.inodes);
    }
  }

  /**
   * What something uses.
   *
   * @param cpuNanos of processor time, since it began
   * @param workingSetBytes of memory that cannot be taken back easily: what evictions go by
   * @param swapBytes that are swapped out
   */
  public record Usage(
      long cpuNanos,
      long memoryBytes,
      long workingSetBytes,
      long rssBytes,
      long processes,
      long swapBytes,
      MemoryDetails memory,
      Pressures pressures) {

    /** Of something of which no more is known. */
    public Usage(
        long cpuNanos, long memoryBytes, long workingSetBytes, long rssBytes, long processes) {
      this(
          cpuNanos,
          memoryBytes,
          workingSetBytes,
          rssBytes,
          processes,
          0,
          MemoryDetails.NONE,
          Pressures.NONE);
    }
  }

  /**
   * More about memory.
   *
   * @param pageFaults since it began, also those that needed no disk
   * @param limit of bytes; empty if there is none
   * @param swapLimit of bytes that are swapped out; empty if there is none
   */
  public record MemoryDetails(
      long pageFaults, long majorPageFaults, OptionalLong limit, OptionalLong swapLimit) {
    public static final MemoryDetails NONE =
        new MemoryDetails(0, 0, OptionalLong.empty(), OptionalLong.empty());
  }

  /** How much something has to wait for what it shares. */
  public record Pressures(Pressure cpu, Pressure memory, Pressure io) {
    public static final Pressures NONE = new Pressures(Pressure.NONE, Pressure.NONE, Pressure.NONE);
  }

  /** What went through a network interface since it is there. */
  public record Interface(String name, Traffic received, Traffic sent) {}

  /**
   * What went one way.
   *
   * @param packets 0 where it is not known, as are those that were dropped
   */
  public record Traffic(long bytes, long packets, long errors, long dropped) {}
}
