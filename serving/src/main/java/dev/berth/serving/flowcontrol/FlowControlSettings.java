package dev.berth.serving.flowcontrol;

/**
 * How many requests may run at once.
 *
 * @param priorityAndFairness whether requests are told apart and wait for their turn; otherwise
 *     whatever is above the limits is refused
 * @param maxRequestsInFlight for requests that read; with priority and fairness, the sum of both is
 *     divided among the priority levels
 * @param maxMutatingRequestsInFlight for those that write; 0 for no limit, as above
 */
public record FlowControlSettings(
    boolean priorityAndFairness, int maxRequestsInFlight, int maxMutatingRequestsInFlight) {
  /** Upstream's. */
  public static final FlowControlSettings DEFAULT = new FlowControlSettings(true, 400, 200);

  public FlowControlSettings {
    if (maxRequestsInFlight < 0 || maxMutatingRequestsInFlight < 0) {
      throw new IllegalArgumentException("limits of requests in flight cannot be negative");
    }
    if (priorityAndFairness && maxRequestsInFlight + maxMutatingRequestsInFlight == 0) {
      throw new IllegalArgumentException("priority and fairness need some requests to divide");
    }
  }

  /** The seats that are divided among priority levels. */
  int serverSeats() {
    return maxRequestsInFlight + maxMutatingRequestsInFlight;
  }
}
