package dev.berth.cli.arguments;

import dev.berth.log.LogWriter;
import java.io.OutputStream;
import java.io.PrintWriter;

/**
 * Where a command writes: its results, its errors, and its log.
 *
 * @param bytes results that are not text; to the same place as {@code out}
 */
public record Console(PrintWriter out, PrintWriter err, LogWriter.Output log, OutputStream bytes) {

  /** A console whose log goes where errors go, and where nobody reads bytes. */
  public Console(PrintWriter out, PrintWriter err) {
    this(out, err, OutputStream.nullOutputStream());
  }

  /** A console whose log goes where errors go. */
  public Console(PrintWriter out, PrintWriter err, OutputStream bytes) {
    this(
        out,
        err,
        lines -> {
          err.print(lines);
          err.flush();
        },
        bytes);
  }
}
