package dev.berth.policy.reconcile;

/** Something that a controller is to do. Each controller has a sealed type of its own. */
public interface Action {
  /** What is done and why, in a line for the log: names and numbers, never what objects hold. */
  String reason();
}
