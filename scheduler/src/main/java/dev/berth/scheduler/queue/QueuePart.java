package dev.berth.scheduler.queue;

/** Where in the queue a pod is. */
public enum QueuePart {
  /** To be tried as soon as it is its turn. */
  ACTIVE,
  /** To be tried when its back-off is over. */
  BACKOFF,
  /** Refused; tried again when something happens that may help it. */
  UNSCHEDULABLE,
  /** Not to be tried while it has scheduling gates. */
  GATED,
  /** Being tried. */
  IN_FLIGHT,
  /** Not in the queue. */
  NONE
}
