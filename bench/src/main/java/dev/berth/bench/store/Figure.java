package dev.berth.bench.store;

import java.util.Arrays;
import java.util.Locale;

/** One measured thing: its unit, its bar, and what each repetition gave. */
record Figure(String name, String unit, double bar, Better better) {

  enum Better {
    HIGHER,
    LOWER
  }

  /** The median is held against the bar: the machine has other things to do as well. */
  void print(double... measured) {
    double[] sorted = measured.clone();
    Arrays.sort(sorted);
    double median = sorted[sorted.length / 2];
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
