package dev.berth.policy.autoscale;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What the pods of a target should use of something each, on average. */
sealed interface UsageGoal {
  int WHOLE = 100;

  /**
   * What they use.
   *
   * @param ratio to what they should
   * @param utilization in percent of what they request, if the goal is one of that
   * @param average in thousandths
   */
  record Usage(double ratio, OptionalInt utilization, long average) {}

  /**
   * Compares.
   *
   * @param used by name of the pod, in thousandths; not empty
   * @return empty if nothing is known that could be compared
   */
  Optional<Usage> compare(Map<String, Long> used);

  /** What a pod is taken to use of which nothing is known, when the others use too little. */
  long assumed(String pod);

  /** A value. */
  record Average(long target) implements UsageGoal {
    @Override
    public Optional<Usage> compare(Map<String, Long> used) {
      long sum = used.values().stream().mapToLong(Long::longValue).sum();
      long average = sum / used.size();
      return Optional.of(new Usage((double) average / target, OptionalInt.empty(), average));
    }

    @Override
    public long assumed(String pod) {
      return target;
    }
  }

  /**
   * A percentage of what they request.
   *
   * @param requests by name of the pod; who is not there does not count
   */
  record Utilization(int percent, Map<String, Long> requests) implements UsageGoal {
    @Override
    public Optional<Usage> compare(Map<String, Long> used) {
      long sum = 0;
      long requested = 0;
      int counted = 0;
      for (Map.Entry<String, Long> each : used.entrySet()) {
        Long request = requests.get(each.getKey());
        if (request != null) {
          sum += each.getValue();
          requested += request;
          counted++;
        }
      }
      if (requested == 0) {
        return Optional.empty();
      }
      int utilization = (int) (sum * WHOLE / requested);
      double ratio = (double) utilization / percent;
      return Optional.of(new Usage(ratio, OptionalInt.of(utilization), sum / counted));
    }

    /** All that it requests, or as much as it should use if that is more. */
    @Override
    public long assumed(String pod) {
      return requests.getOrDefault(pod, 0L) * Math.max(WHOLE, percent) / WHOLE;
    }
  }
}
