package dev.berth.cli.arguments;

import java.io.IOException;
import java.io.PrintWriter;

/** Where a command writes: results to one, what went wrong to the other, and its log. */
public record Console(PrintWriter out, PrintWriter err, Log log) {

  /** Where lines of the log go. */
  @FunctionalInterface
  public interface Log {
    void write(String lines) throws IOException;
  }

  /** Whose log is among what went wrong. */
  public Console(PrintWriter out, PrintWriter err) {
    this(
        out,
        err,
        lines -> {
          err.print(lines);
          err.flush();
        });
  }
}
