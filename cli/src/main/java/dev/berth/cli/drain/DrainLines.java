package dev.berth.cli.drain;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Terminal;
import dev.berth.model.tree.JsonObject;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How far a drain is, a line for each node: on a terminal the lines change in place; elsewhere
 * there is another line whenever something has changed.
 */
final class DrainLines {
  /** More than this do not fit many terminals. */
  private static final int MOST_IN_PLACE = 30;

  private static final int USUAL_COLUMNS = 80;

  /** The columns of a place that is no terminal. */
  static final int NO_TERMINAL = 0;

  private static final String ERASE = "\033[K";

  private final PrintWriter out;
  private final int columns;
  private final Map<String, String> shown = new HashMap<>();
  private int drawn;

  /**
   * Lines.
   *
   * @param columns of the terminal; {@link #NO_TERMINAL} if there is none
   */
  DrainLines(PrintWriter out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  static DrainLines on(Console console) {
    return new DrainLines(
        console.out(), Terminal.isThere() ? Terminal.columns().orElse(USUAL_COLUMNS) : NO_TERMINAL);
  }

  void show(JsonObject drain) {
    List<JsonObject> nodes = drain.object("status").array("nodes").objects();
    if (columns != NO_TERMINAL && nodes.size() <= MOST_IN_PLACE) {
      redraw(nodes);
      return;
    }
    for (JsonObject node : nodes) {
      String name = node.text("name", "");
      String line = line(node);
      boolean isNews = !line.equals(shown.put(name, line));
      if (isNews && !node.text("phase", "").equals("Pending")) {
        out.println(line);
      }
    }
    out.flush();
  }

  private void redraw(List<JsonObject> nodes) {
    StringBuilder text = new StringBuilder(drawn == 0 ? "" : "\033[%dA".formatted(drawn));
    // A line that went on below would not be where it is looked for next time.
    nodes.forEach(
        node -> text.append(Terminal.cut(line(node), columns)).append(ERASE).append('\n'));
    drawn = nodes.size();
    out.print(text);
    out.flush();
  }

  /** A node's progress in a line. */
  static String line(JsonObject node) {
    StringBuilder line =
        new StringBuilder(
            "%s: %s, %d of %d pods evicted"
                .formatted(
                    node.text("name", ""),
                    node.text("phase", "").toLowerCase(Locale.ROOT),
                    node.integer("podsEvicted").orElse(0),
                    node.integer("podsTotal").orElse(0)));
    long blocked = node.integer("podsBlocked").orElse(0);
    if (blocked > 0) {
      line.append(", %d held back".formatted(blocked));
      node.array("blocked").objects().stream()
          .findFirst()
          .ifPresent(pod ->
              line.append(" (%s: %s)".formatted(pod.text("pod", ""), pod.text("message", ""))));
    }
    String message = node.text("message", "");
    return (message.isEmpty() ? line : line.append(": ").append(message)).toString();
  }
}
