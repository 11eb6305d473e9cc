package dev.berth.bench;

import java.util.Arrays;
import java.util.Locale;

/** One measured thing: its unit, its bar, and what each repetition gave. */
public record Figure(String name, String unit, double bar, Better better) {

  /** Which way the bar points. */
  public enum Better {
    HIGHER,
    LOWER
  }

  public static double median(double... measured) {
    double[] sorted = measured.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The median is held against the bar: the machine has other things to do as well. */
  public void print(double... measured) {
    double[] sorted = measured.clone();
    Arrays.sort(sorted);
    double median = median(sorted);
    boolean met = better == Better.HIGHER ? median >= bar : median <= bar;
    System.out.println(
        String.format(
            Locale.ROOT,
            "%-44s min %,10.2f   median %,10.2f   max %,10.2f %-7s bar %s %,.2f   %s",
            name,
            sorted[0],
            median,
            sorted[sorted.length - 1],
            unit,
            better == Better.HIGHER ? ">=" : "<=",
            bar,
            met ? "met" : "MISSED"));
  }
}
