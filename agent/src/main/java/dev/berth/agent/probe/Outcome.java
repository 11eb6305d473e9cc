package dev.berth.agent.probe;

/**
 * What came of asking a container.
 *
 * @param output for people
 */
public record Outcome(Kind kind, String output) {
  public enum Kind {
    SUCCESS,
    /** It went well, but not as it should; the output says how. */
    WARNING,
    FAILURE,
    /** It could not be asked, which says nothing about the container. */
    ERROR,
    /** It began to answer and did not end, which says nothing about the container either. */
    BROKEN_OFF
  }

  public boolean isFailed() {
    return kind != Kind.SUCCESS && kind != Kind.WARNING;
  }

  public static Outcome success(String output) {
    return new Outcome(Kind.SUCCESS, output);
  }

  public static Outcome warning(String output) {
    return new Outcome(Kind.WARNING, output);
  }

  public static Outcome failure(String output) {
    return new Outcome(Kind.FAILURE, output);
  }

  public static Outcome error(String output) {
    return new Outcome(Kind.ERROR, output);
  }
}
