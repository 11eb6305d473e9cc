package dev.berth.bench.overload;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long renewals of leases took, from when they were due.
 *
 * @param upTo how many took at most so many seconds
 * @param failures how many failed and were tried again
 */
record LeaseTimes(TreeMap<Double, Long> upTo, long failures) {
  private static final Pattern BUCKET =
      Pattern.compile(
          "^hollow_lease_renewal_duration_seconds_bucket\\{le=\"([^\"]+)\"\\} (\\d+)",
          Pattern.MULTILINE);
  private static final Pattern FAILURES =
      Pattern.compile(
          "^hollow_lease_renewals_total\\{result=\"failure\"\\} (\\d+)", Pattern.MULTILINE);

  static LeaseTimes read(String metrics) {
    TreeMap<Double, Long> upTo = new TreeMap<>();
    Matcher bucket = BUCKET.matcher(metrics);
    while (bucket.find()) {
      String bound = bucket.group(1);
      upTo.put(
          bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound),
          Long.parseLong(bucket.group(2)));
    }
    Matcher failures = FAILURES.matcher(metrics);
    return new LeaseTimes(upTo, failures.find() ? Long.parseLong(failures.group(1)) : 0);
  }

  /** What came after an earlier reading. */
  LeaseTimes since(LeaseTimes before) {
    TreeMap<Double, Long> more = new TreeMap<>();
    upTo.forEach((bound, count) -> more.put(bound, count - before.upTo.getOrDefault(bound, 0L)));
    return new LeaseTimes(more, failures - before.failures);
  }

  long renewals() {
    return upTo.isEmpty() ? 0 : upTo.lastEntry().getValue();
  }

  /** The bound that a part of all renewals stayed within: 0.99 for all but one in a hundred. */
  double within(double part) {
    return upTo.entrySet().stream()
        .filter(bucket -> bucket.getValue() >= part * renewals())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
