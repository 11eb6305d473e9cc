package dev.berth.bench.simulate;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.sim.fuzz.FuzzOutcome;
import dev.berth.sim.fuzz.FuzzSettings;
import dev.berth.sim.fuzz.Fuzzer;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * How much of a cluster's life under faults is simulated in an hour of one core: all that the
 * process takes counts, its compiler and its garbage collector included. The first histories, in
 * which the compiler learns, are played and not counted.
 */
public final class FuzzBench {
  private static final int WARM_UP = 6;
  private static final int HISTORIES = 10;
  private static final double BAR = 2_000;
  private static final double NANOS = 1e9;

  private FuzzBench() {}

  public static void main(String... arguments) {
    FuzzSettings settings = FuzzSettings.DEFAULT;
    Fuzzer fuzzer = new Fuzzer(settings);
    long seed = 1;
    while (seed <= WARM_UP) {
      play(fuzzer, seed++);
    }
    double[] hours = new double[HISTORIES];
    double[] writes = new double[HISTORIES];
    for (int i = 0; i < HISTORIES; i++) {
      long before = cpuNanos();
      FuzzOutcome outcome = play(fuzzer, seed++);
      double seconds = (cpuNanos() - before) / NANOS;
      hours[i] = seconds(outcome.simulated()) / seconds;
      writes[i] = outcome.writes() / seconds;
    }
    System.out.printf("%d nodes, %d pods%n", settings.nodes(), settings.pods());
    new Figure("simulated cluster-hours per core-hour", "h/h", BAR, Better.HIGHER).print(hours);
    Figure.forComparison("  writes checked", "1/s").print(writes);
  }

  private static FuzzOutcome play(Fuzzer fuzzer, long seed) {
    FuzzOutcome outcome = fuzzer.play(seed);
    outcome
        .failure()
        .ifPresent(
            failure -> System.out.printf("seed %d does not hold: %s%n", seed, failure.invariant()));
    return outcome;
  }

  private static double seconds(Duration span) {
    return span.toMillis() / 1e3;
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
