package dev.berth.model.core;

/** Where a pod is in its lifecycle. */
public enum PodPhase {
  PENDING,
  RUNNING,
  SUCCEEDED,
  FAILED,
  /** The phase is not known, or the word is one that this version does not know. */
  UNKNOWN;

  /** The phase of a word; a pod without one has just been created. */
  public static PodPhase of(String text) {
    return switch (text) {
      case "", "Pending" -> PENDING;
      case "Running" -> RUNNING;
      case "Succeeded" -> SUCCEEDED;
      case "Failed" -> FAILED;
      default -> UNKNOWN;
    };
  }

  /** Whether every container has ended for good. */
  public boolean finished() {
    return this == SUCCEEDED || this == FAILED;
  }
}
