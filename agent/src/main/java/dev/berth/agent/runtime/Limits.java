package dev.berth.agent.runtime;

import java.util.OptionalLong;

/**
 * What a cgroup may use.
 *
 * @param cpuShares its weight against others when all want processors, as in cgroup v1; 2 is the
 *     least
 * @param cpuQuotaMicros of processor time in each period of 100 ms; empty for as much as it likes
 * @param memoryBytes above which it is killed
 * @param swapBytes beside its memory; empty for no limit, 0 for none
 * @param pids how many processes and threads it may have
 * @param oomScore how early its processes are killed when the machine has no memory: -1000 to 1000
 * @param cpus such as {@code 0-2,7}; empty for all
 * @param mems the NUMA nodes whose memory it uses, written likewise; empty for all
 * @param isSwappable whether any of its memory may be swapped; with cgroup v1, a group with {@code
 *     swapBytes} 0 that is swappable has memory and swap together up to {@code memoryBytes}
 */
public record Limits(
    long cpuShares,
    OptionalLong cpuQuotaMicros,
    OptionalLong memoryBytes,
    OptionalLong swapBytes,
    OptionalLong pids,
    int oomScore,
    String cpus,
    String mems,
    boolean isSwappable) {
  /** For what asks for nothing. */
  public static final Limits NONE =
      new Limits(
          2,
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          1000,
          "",
          "",
          true);

  /** The same for processors and memory that a container may use. */
  public Limits placed(Placement placement) {
    return new Limits(
        cpuShares,
        cpuQuotaMicros,
        memoryBytes,
        swapBytes,
        pids,
        oomScore,
        placement.cpus(),
        placement.mems(),
        isSwappable);
  }

  /** The same with another number of processes. */
  public Limits withPids(OptionalLong value) {
    return new Limits(
        cpuShares,
        cpuQuotaMicros,
        memoryBytes,
        swapBytes,
        value,
        oomScore,
        cpus,
        mems,
        isSwappable);
  }
}
