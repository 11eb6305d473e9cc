package dev.berth.scheduler.queue;

/** Where in the queue a pod is. */
public enum QueuePart {
  /** Waits for its turn. */
  ACTIVE,
  /** Active once its back-off is over. */
  BACKOFF,
  /** Refused; active again after an event that may help it. */
  UNSCHEDULABLE,
  /** Held back as long as it has scheduling gates. */
  GATED,
  /** Popped, and neither put back nor done. */
  IN_FLIGHT,
  /** Not in the queue. */
  NONE
}
