package dev.berth.agent.server;

/** Which streams of a command its client wants. */
record CommandOptions(boolean stdin, boolean stdout, boolean stderr, boolean tty) {
  private static final int BAD_REQUEST = 400;

  static CommandOptions of(NodeQuery query) throws Refusal {
    boolean tty = query.flag("tty");
    boolean stdin = query.flag("input");
    boolean stdout = query.flag("output");
    // A terminal has one stream for both.
    boolean stderr = query.flag("error") && !tty;
    if (!stdin && !stdout && !stderr) {
      throw new Refusal(BAD_REQUEST, "you must specify at least 1 of stdin, stdout, stderr");
    }
    return new CommandOptions(stdin, stdout, stderr, tty);
  }
}
