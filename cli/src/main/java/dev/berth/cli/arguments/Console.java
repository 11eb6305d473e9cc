package dev.berth.cli.arguments;

import dev.berth.log.LogWriter;
import java.io.PrintWriter;

/** Where a command writes: its results, its errors, and its log. */
public record Console(PrintWriter out, PrintWriter err, LogWriter.Output log) {

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
