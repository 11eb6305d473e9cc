package dev.berth.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * One measured thing: its unit and its bar.
 *
 * @param bar what it is held to; NaN if it only helps to read the others
 */
public record Figure(String name, String unit, double bar, Better better) {

  /** A figure without a bar. */
  public static Figure forComparison(String name, String unit) {
    return new Figure(name, unit, Double.NaN, Better.HIGHER);
  }

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
    System.out.println(
        String.format(
            Locale.ROOT,
            "%-44s min %,10.2f   median %,10.2f   max %,10.2f %-7s %s",
            name,
            sorted[0],
            median,
            sorted[sorted.length - 1],
            unit,
            verdict(median)));
  }

  private String verdict(double median) {
    if (Double.isNaN(bar)) {
      return "(for comparison)";
    }
    boolean met = better == Better.HIGHER ? median >= bar : median <= bar;
    String sign = better == Better.HIGHER ? ">=" : "<=";
    return String.format(Locale.ROOT, "bar %s %,.0f   %s", sign, bar, met ? "met" : "MISSED");
  }
}
