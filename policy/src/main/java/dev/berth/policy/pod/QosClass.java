package dev.berth.policy.pod;

/** The class of service a pod gets when its node runs short. */
public enum QosClass {
  GUARANTEED("Guaranteed"),
  BURSTABLE("Burstable"),
  BEST_EFFORT("BestEffort");

  private final String text;

  QosClass(String text) {
    this.text = text;
  }

  /** The word in {@code status.qosClass}. */
  public String text() {
    return text;
  }
}
