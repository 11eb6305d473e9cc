package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Console;
import java.io.PrintWriter;
import java.util.Optional;

/** A line on the terminal that is written over; nothing where there is no terminal. */
final class TerminalLine {
  private static final String ERASE = "\r\033[K";

  private final Optional<PrintWriter> terminal;
  private String shown = "";

  private TerminalLine(Optional<PrintWriter> terminal) {
    this.terminal = terminal;
  }

  @SuppressWarnings("SystemConsoleNull") // A JDK with few modules has none where nobody types.
  static TerminalLine on(Console console) {
    boolean isTerminal = System.console() != null && System.console().isTerminal();
    return new TerminalLine(isTerminal ? Optional.of(console.err()) : Optional.empty());
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
      out.print(ERASE + text);
      out.flush();
    });
  }
}
