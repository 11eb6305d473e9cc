package dev.berth.model.core;

/** What a taint does to the pods that do not tolerate it. */
public enum TaintEffect {
  /** Keeps new pods off the node. */
  NO_SCHEDULE("NoSchedule"),
  /** Keeps new pods off the node while another one fits. */
  PREFER_NO_SCHEDULE("PreferNoSchedule"),
  /** Keeps new pods off the node and evicts those that run there. */
  NO_EXECUTE("NoExecute"),
  /** A word this version does not know: it has no effect and is tolerated by nothing. */
  UNKNOWN("");

  private final String text;

  TaintEffect(String text) {
    this.text = text;
  }

  public static TaintEffect of(String text) {
    return switch (text) {
      case "NoSchedule" -> NO_SCHEDULE;
      case "PreferNoSchedule" -> PREFER_NO_SCHEDULE;
      case "NoExecute" -> NO_EXECUTE;
      default -> UNKNOWN;
    };
  }

  /** The word on the wire; empty for {@link #UNKNOWN}. */
  public String text() {
    return text;
  }
}
