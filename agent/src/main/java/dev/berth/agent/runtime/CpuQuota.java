package dev.berth.agent.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How much processor time a cgroup gets.
 *
 * @param micros in each period, all processors together
 */
public record CpuQuota(long micros, long periodMicros) {
  /** The kernel's, and that of nodes that set no other. */
  public static final Duration USUAL_PERIOD = Duration.ofMillis(100);

  /** The kernel takes no less. */
  private static final long LEAST_MICROS = 1000;

  private static final long MILLIS_PER_CPU = 1000;

  /** As much as some thousandths of a processor, as far as that can be had. */
  public static CpuQuota ofMillis(long milliCpus, Duration period) {
    long periodMicros = TimeUnit.NANOSECONDS.toMicros(period.toNanos());
    return new CpuQuota(
        Math.max(LEAST_MICROS, milliCpus * periodMicros / MILLIS_PER_CPU), periodMicros);
  }
}
