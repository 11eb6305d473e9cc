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
    private static final boolean[] TOKENS = new boolean[0x7f];

    static {
      for (char c = '!'; c < TOKENS.length; c++) {
        TOKENS[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
      }
    }

    public Field {
      if (!isToken(name)) {
        throw new IllegalArgumentException("\"%s\" is no name for a header.".formatted(name));
      }
      if (hasControls(value)) {
        throw new IllegalArgumentException(
            "The header %s may not hold control characters.".formatted(name));
      }
    }

    private static boolean isToken(String name) {
      for (int i = 0; i < name.length(); i++) {
        if (!isToken(name.charAt(i))) {
          return false;
        }
      }
      return !name.isEmpty();
    }

    private static boolean hasControls(String value) {
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c < ' ' && c != '\t') {
          return true;
        }
      }
      return false;
    }

    private static boolean isToken(char c) {
      return c < TOKENS.length && TOKENS[c];
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
    for (Field field : fields) {
      if (field.name().equalsIgnoreCase(name)) {
        return Optional.of(field.value());
      }
    }
    return Optional.empty();
  }

  public boolean has(String name) {
    return first(name).isPresent();
  }
}
