package dev.berth.policy.downward;

/** What the downward API answers. */
public sealed interface DownwardValue {
  record Text(String value) implements DownwardValue {}

  /** There is no such field; the message is upstream's. */
  record Problem(String message) implements DownwardValue {}
}
