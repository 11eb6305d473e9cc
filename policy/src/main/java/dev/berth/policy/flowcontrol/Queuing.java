package dev.berth.policy.flowcontrol;

/** What a priority level does with requests for which it has no seats. */
public sealed interface Queuing {
  /** There always are seats: requests are only counted. */
  record Exempt() implements Queuing {}

  /** They are refused. */
  record Reject() implements Queuing {}

  /**
   * They wait.
   *
   * @param hands which queues each flow may use
   * @param lengthLimit how many may wait in one queue
   */
  record Queues(ShuffleSharding hands, int lengthLimit) implements Queuing {}
}
