package dev.berth.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * Runs something several times and prints the least, the median and the greatest figure, because
 * one figure says nothing on a machine that does other things too.
 */
public final class Measure {
  private Measure() {}

  /** Something to measure once; returns its figure. */
  @FunctionalInterface
  public interface Round {
    double run() throws Exception;
  }

  /** Operations per second of a piece of work. */
  public static double perSecond(long operations, Runnable work) {
    long start = System.nanoTime();
    work.run();
    return operations * 1e9 / (System.nanoTime() - start);
  }

  /**
   * Operations per second of this thread's own processor time: what one core does, however many
   * others want it at the moment.
   */
  public static double perCoreSecond(long operations, Runnable work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    work.run();
    return operations * 1e9 / (threads.getCurrentThreadCpuTime() - start);
  }

  /** Seconds that a piece of work takes. */
  public static double seconds(Runnable work) {
    return 1 / perSecond(1, work);
  }

  /** Measures and prints one line; returns the median. */
  public static double print(String what, String unit, String bar, int rounds, Round round)
      throws Exception {
    double[] figures = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      figures[i] = round.run();
    }
    Arrays.sort(figures);
    double median = figures[rounds / 2];
    System.out.printf(
        Locale.ROOT,
        "%-58s %,12.2f %-8s (min %,.2f, max %,.2f, %d rounds; bar: %s)%n",
        what,
        median,
        unit,
        figures[0],
        figures[rounds - 1],
        rounds,
        bar);
    return median;
  }
}
