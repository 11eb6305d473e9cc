package dev.berth.agent.podspec;

/** A pod's specification cannot be honoured. The message is for people. */
public final class SpecFailure extends Exception {
  private static final long serialVersionUID = 1;

  public SpecFailure(String message) {
    super(message);
  }
}
