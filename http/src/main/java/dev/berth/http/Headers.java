package dev.berth.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The header fields of a response, in order. */
public record Headers(List<Field> fields) {

  public static final Headers NONE = new Headers(List.of());

  /**
   * One field. What could end the line, and so let a value write fields of its own, is refused
   * here: values often carry what a client sent.
   */
  public record Field(String name, String value) {
    public Field {
      if (name.isEmpty() || !name.chars().allMatch(Field::isToken)) {
        throw new IllegalArgumentException("\"%s\" is no name for a header.".formatted(name));
      }
      if (value.chars().anyMatch(c -> c < ' ' && c != '\t')) {
        throw new IllegalArgumentException(
            "The header %s may not hold control characters.".formatted(name));
      }
    }

    private static boolean isToken(int c) {
      return c > ' ' && c < 0x7f && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
  }

  public Headers {
    fields = List.copyOf(fields);
  }

  public static Headers of(String name, String value) {
    return NONE.with(name, value);
  }

  /** These fields and one more. */
  public Headers with(String name, String value) {
    List<Field> more = new ArrayList<>(fields);
    more.add(new Field(name, value));
    return new Headers(more);
  }

  /** These fields and more of one name. */
  public Headers with(String name, List<String> values) {
    List<Field> more = new ArrayList<>(fields);
    values.forEach(value -> more.add(new Field(name, value)));
    return new Headers(more);
  }

  /** The value of the first field of a name. */
  public Optional<String> first(String name) {
    return fields.stream()
        .filter(field -> field.name().equalsIgnoreCase(name))
        .map(Field::value)
        .findFirst();
  }

  public boolean has(String name) {
    return fields.stream().anyMatch(field -> field.name().equalsIgnoreCase(name));
  }
}
