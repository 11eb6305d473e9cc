package dev.berth.cel.value;

/** An evaluation that was stopped since it cost more than it may; nothing makes up for it. */
public final class CostExceededException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public static final String MESSAGE = "operation cancelled: actual cost limit exceeded";

  public CostExceededException() {
    super(MESSAGE, null, false, false);
  }
}
