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
 */
public record Limits(
    long cpuShares,
    OptionalLong cpuQuotaMicros,
    OptionalLong memoryBytes,
    OptionalLong swapBytes,
    OptionalLong pids,
    int oomScore,
    String cpus) {
  /** For what asks for nothing. */
  public static final Limits NONE =
      new Limits(
          2,
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          1000,
          "");
}
