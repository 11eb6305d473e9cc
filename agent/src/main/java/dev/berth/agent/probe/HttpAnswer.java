package dev.berth.agent.probe;

/** What came of asking a container for a page. */
public sealed interface HttpAnswer {
  /**
   * The server answered.
   *
   * @param body as much of it as is of interest
   */
  record Answered(int status, String body) implements HttpAnswer {}

  /** The server did not answer, or nothing that could be understood. */
  record Unanswered(String why) implements HttpAnswer {}

  /** The server was asked with TLS, and speaks none. */
  record WithoutTls(String why) implements HttpAnswer {}

  /** The answer began, and did not come to its end. */
  record BrokenOff(String why) implements HttpAnswer {}
}
