package dev.berth.cli.arguments;

import dev.berth.log.LogWriter;
import java.io.PrintWriter;

/** Where a command writes: its results, its errors, and its log. */
public record Console(PrintWriter out, PrintWriter err, LogWriter.Output log) {

  /** A console whose log goes where errors go. */
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
