package dev.berth.agent.environment;

/** The environment of a container cannot be made. The message is for people. */
public final class EnvironmentFailure extends Exception {
  private static final long serialVersionUID = 1;

  public EnvironmentFailure(String message) {
    super(message);
  }
}
