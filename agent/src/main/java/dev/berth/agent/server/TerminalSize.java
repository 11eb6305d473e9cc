package dev.berth.agent.server;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.Optional;

/** How large a client's window is: {@code {"Width":80,"Height":24}}. */
record TerminalSize(int columns, int rows) {
  private static final int MOST = 65_535;

  /** What makes no sense is none. */
  static Optional<TerminalSize> parse(byte[] json) {
    try {
      JsonObject tree = JsonReader.object(json, JsonLimits.REQUEST);
      long columns = tree.integer("Width").orElse(0);
      long rows = tree.integer("Height").orElse(0);
      return columns < 1 || rows < 1 || columns > MOST || rows > MOST
          ? Optional.empty()
          : Optional.of(new TerminalSize((int) columns, (int) rows));
    } catch (JsonException _) {
      return Optional.empty();
    }
  }
}
