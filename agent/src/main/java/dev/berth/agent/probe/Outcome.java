package dev.berth.agent.probe;

/**
 * What came of asking a container.
 *
 * @param output for people
 */
public record Outcome(Kind kind, String output) {
  public enum Kind {
    SUCCESS,
    FAILURE,
    /** It could not be asked, which says nothing about the container. */
    ERROR
  }

  public static Outcome success(String output) {
    return new Outcome(Kind.SUCCESS, output);
  }

  public static Outcome failure(String output) {
    return new Outcome(Kind.FAILURE, output);
  }

  public static Outcome error(String output) {
    return new Outcome(Kind.ERROR, output);
  }
}
