package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Terminal;
import java.io.PrintWriter;
import java.util.Optional;

/** A line on the terminal that is written over; nothing where there is no terminal. */
final class TerminalLine {
  private static final String ERASE = "\r\033[K";

  private final Optional<PrintWriter> terminal;
  private final int columns;
  private String shown = "";

  TerminalLine(Optional<PrintWriter> terminal, int columns) {
    this.terminal = terminal;
    this.columns = columns;
  }

  static TerminalLine on(Console console) {
    return new TerminalLine(
        Terminal.isThere() ? Optional.of(console.err()) : Optional.empty(),
        Terminal.columns().orElse(Integer.MAX_VALUE));
  }

  /** Shows a text in place of the one before. */
  void show(String text) {
    if (!text.equals(shown)) {
      print(text);
    }
  }

  void clear() {
    print("");
  }

  private void print(String text) {
    shown = text;
    terminal.ifPresent(out -> {
      out.print(ERASE + Terminal.cut(text, columns));
      out.flush();
    });
  }
}
