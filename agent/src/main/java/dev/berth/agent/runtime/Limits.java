package dev.berth.agent.runtime;

import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a cgroup may use.
 *
 * @param cpuShares its weight against others when all want processors, as in cgroup v1; 2 is the
 *     least
 * @param cpuQuota its processor time; empty for as much as it likes
 * @param memoryBytes above which it is killed
 * @param swapBytes beside its memory; empty for no limit, 0 for none
 * @param pids how many processes and threads it may have
 * @param oomScore how early its processes are killed when the machine has no memory: -1000 to 1000
 * @param cpus such as {@code 0-2,7}; empty for all
 * @param mems the NUMA nodes whose memory it uses, written likewise; empty for all
 * @param isSwappable whether any of its memory may be swapped; with cgroup v1, a group with {@code
 *     swapBytes} 0 that is swappable has memory and swap together up to {@code memoryBytes}
 * @param hugePages bytes by the size of pages, as {@link HugePages} has them
 * @param isKilledAsAWhole whether all of its processes are killed, not one, when it has used up its
 *     memory; with cgroup v1, one is in any case
 */
public record Limits(
    long cpuShares,
    Optional<CpuQuota> cpuQuota,
    OptionalLong memoryBytes,
    OptionalLong swapBytes,
    OptionalLong pids,
    int oomScore,
    String cpus,
    String mems,
    boolean isSwappable,
    SortedMap<String, Long> hugePages,
    boolean isKilledAsAWhole) {
  /** For what asks for nothing. */
  public static final Limits NONE =
      new Limits(
          2,
          Optional.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          1000,
          "",
          "",
          true);

  public Limits {
    hugePages = Collections.unmodifiableSortedMap(new TreeMap<>(hugePages));
  }

  /** Without huge pages; processes are killed one by one. */
  public Limits(
      long cpuShares,
      Optional<CpuQuota> cpuQuota,
      OptionalLong memoryBytes,
      OptionalLong swapBytes,
      OptionalLong pids,
      int oomScore,
      String cpus,
      String mems,
      boolean isSwappable) {
    this(
        cpuShares,
        cpuQuota,
        memoryBytes,
        swapBytes,
        pids,
        oomScore,
        cpus,
        mems,
        isSwappable,
        Collections.emptySortedMap(),
        false);
  }

  /** The same for processors and memory that a container may use. */
  public Limits placed(Placement placement) {
    return new Limits(
        cpuShares,
        cpuQuota,
        memoryBytes,
        swapBytes,
        pids,
        oomScore,
        placement.cpus(),
        placement.mems(),
        isSwappable,
        hugePages,
        isKilledAsAWhole);
  }

  /** The same with another number of processes. */
  public Limits withPids(OptionalLong value) {
    return new Limits(
        cpuShares,
        cpuQuota,
        memoryBytes,
        swapBytes,
        value,
        oomScore,
        cpus,
        mems,
        isSwappable,
        hugePages,
        isKilledAsAWhole);
  }

  /** The same with huge pages. */
  public Limits withHugePages(SortedMap<String, Long> bytes) {
    return new Limits(
        cpuShares,
        cpuQuota,
        memoryBytes,
        swapBytes,
        pids,
        oomScore,
        cpus,
        mems,
        isSwappable,
        bytes,
        isKilledAsAWhole);
  }

  /** The same for one whose processes are killed together, or one by one. */
  public Limits killedAsAWhole(boolean value) {
    return new Limits(
        cpuShares,
        cpuQuota,
        memoryBytes,
        swapBytes,
        pids,
        oomScore,
        cpus,
        mems,
        isSwappable,
        hugePages,
        value);
  }
}
