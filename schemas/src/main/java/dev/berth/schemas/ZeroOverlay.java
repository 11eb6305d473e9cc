package dev.berth.schemas;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether a zero in a protobuf message is a value of its own, which no artifact says: a table of
 * type, field, and {@code keep} or {@code drop}.
 *
 * <p>Kubernetes' own programs write the zeros of all fields that are not pointers. In JSON they
 * leave most of those out, and so must whoever turns one form into the other.
 */
final class ZeroOverlay {
  private final Map<String, Boolean> kept = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  ZeroOverlay(List<String> lines) {
    for (String line : lines) {
      if (!line.startsWith("#")) {
        String[] cells = line.split("\t", -1);
        if (cells.length != 3 || !(cells[2].equals("keep") || cells[2].equals("drop"))) {
          throw new IllegalArgumentException("expected a type, a field, and keep or drop: " + line);
        }
        if (kept.put(cells[0] + " " + cells[1], cells[2].equals("keep")) != null) {
          throw new IllegalArgumentException("a row occurs twice: " + line);
        }
      }
    }
  }

  boolean keeps(String type, String field, boolean required) {
    String key = type + " " + field;
    used.add(key);
    return kept.getOrDefault(key, required);
  }

  /** The rows that were never asked for. */
  List<String> unused() {
    return kept.keySet().stream().filter(row -> !used.contains(row)).sorted().toList();
  }
}
