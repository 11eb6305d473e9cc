package dev.berth.serving.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that a field may have, where there are few: a table of type, field and values that
 * stands beside this class, since the generated schemas do not carry them.
 */
final class Enums {
  private static final String TABLE = "enums.tsv";

  private final Map<String, List<String>> byField = new HashMap<>();

  static Enums read() {
    Enums enums = new Enums();
    try (InputStream table = Enums.class.getResourceAsStream(TABLE)) {
      if (table == null) {
        throw new IllegalStateException("the resource " + TABLE + " is missing");
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(table, UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          String[] cells = line.split("\t", -1);
          enums.byField.put(cells[0] + " " + cells[1], List.of(cells[2].split(",", -1)));
        }
      }
      return enums;
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + TABLE + " cannot be read", e);
    }
  }

  /** The values in alphabetical order; none if any value will do. */
  List<String> of(String type, String field) {
    return byField.getOrDefault(type + " " + field, List.of());
  }

  /** Each row's type and field. */
  List<String[]> rows() {
    return byField.keySet().stream().sorted().map(key -> key.split(" ", 2)).toList();
  }
}
