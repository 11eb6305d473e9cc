package dev.berth.policy.autoscale;

import java.util.OptionalInt;

/** How many replicas a metric asks for. */
sealed interface ReplicaCount {

  /**
   * So many.
   *
   * @param utilization what is used in percent of the requests, if the target is one of that
   * @param usage what is used, in thousandths
   */
  record Known(int replicas, OptionalInt utilization, long usage) implements ReplicaCount {
    Known(int replicas, long usage) {
      this(replicas, OptionalInt.empty(), usage);
    }
  }

  /** Nobody can tell; why is for people. */
  record Unknown(String why) implements ReplicaCount {}

  /** The next whole number, or the greatest that there is. */
  static int roundedUp(double replicas) {
    return (int) Math.ceil(replicas);
  }
}
