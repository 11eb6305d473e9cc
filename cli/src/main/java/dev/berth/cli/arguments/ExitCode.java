package dev.berth.cli.arguments;

/** The exit codes of the process. */
public final class ExitCode {
  /** The command did what it was asked to. */
  public static final int OK = 0;

  /** The command failed for a reason that its message tells. */
  public static final int FAILED = 1;

  /** The command line could not be understood. */
  public static final int USAGE = 2;

  /** There is no running server. */
  public static final int NOT_RUNNING = 3;

  /** The command failed because of a bug in Berth. */
  public static final int BUG = 70;

  private ExitCode() {}
}
