package dev.berth.agent.runtime;

import java.util.List;

/** What a pod uses. */
public record PodUsage(PodId pod, Usage total, List<OfContainer> containers, Traffic network) {

  public record OfContainer(String name, Usage usage, long rootBytes, long logBytes) {}

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
      long swapBytes) {

    /** Of something that does not swap. */
    public Usage(
        long cpuNanos, long memoryBytes, long workingSetBytes, long rssBytes, long processes) {
      this(cpuNanos, memoryBytes, workingSetBytes, rssBytes, processes, 0);
    }
  }

  /** What went through its network since it began. */
  public record Traffic(long receivedBytes, long sentBytes) {}
}
