package dev.berth.schemas;

import dev.berth.model.schema.Merging;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How lists and maps merge, which the artifact does not carry: a table of type, field, list type,
 * list map keys, patch strategies, merge key and map type. A row without a field is of the type
 * itself.
 *
 * <p>Rows that were never asked for name a type or a field that does not exist, which is a mistake
 * in the table or news in the artifact; {@link #unused} finds them.
 */
final class Overlay {
  private static final int COLUMNS = 7;

  private final Map<String, Merging> rows = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  Overlay(List<String> lines) {
    for (String line : lines) {
      if (!line.startsWith("#") && !line.startsWith("type\t")) {
        String[] cells = line.split("\t", COLUMNS);
        if (cells.length != COLUMNS) {
          throw new IllegalArgumentException("expected " + COLUMNS + " columns: " + line);
        }
        if (rows.put(key(cells[0], cells[1]), merging(cells)) != null) {
          throw new IllegalArgumentException("a row occurs twice: " + line);
        }
      }
    }
  }

  private static Merging merging(String[] cells) {
    Set<Merging.PatchStrategy> strategies =
        items(cells[4]).stream().map(Overlay::strategy).collect(Collectors.toSet());
    return new Merging(
        cells[2].isEmpty()
            ? Merging.ListType.UNSPECIFIED
            : Merging.ListType.valueOf(cells[2].toUpperCase(Locale.ROOT)),
        items(cells[3]),
        strategies,
        cells[5],
        cells[6].isEmpty()
            ? Merging.MapType.UNSPECIFIED
            : Merging.MapType.valueOf(cells[6].toUpperCase(Locale.ROOT)));
  }

  private static Merging.PatchStrategy strategy(String name) {
    return switch (name) {
      case "merge" -> Merging.PatchStrategy.MERGE;
      case "replace" -> Merging.PatchStrategy.REPLACE;
      case "retainKeys" -> Merging.PatchStrategy.RETAIN_KEYS;
      default -> throw new IllegalArgumentException("not a patch strategy: " + name);
    };
  }

  private static List<String> items(String cell) {
    return cell.isEmpty() ? List.of() : List.of(cell.split(",", -1));
  }

  private static String key(String type, String field) {
    return field.isEmpty() ? type : type + " " + field;
  }

  Merging of(String type, String field) {
    String key = key(type, field);
    used.add(key);
    return rows.getOrDefault(key, Merging.UNSPECIFIED);
  }

  Merging.MapType of(String type) {
    return of(type, "").mapType();
  }

  /** The rows that were never asked for. */
  List<String> unused() {
    return rows.keySet().stream().filter(row -> !used.contains(row)).sorted().toList();
  }
}
