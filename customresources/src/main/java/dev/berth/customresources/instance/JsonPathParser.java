package dev.berth.customresources.instance;

import dev.berth.customresources.instance.JsonPath.Step;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads paths. The expressions in it are applied to short pieces of definitions only. */
final class JsonPathParser {
  private static final Pattern SLICE =
      Pattern.compile("^(-?[0-9]{0,9})(:(-?[0-9]{0,9}))?(:([0-9]{1,9}))?$");
  private static final Pattern FILTER =
      Pattern.compile("^\\?\\(\\s*(@[^!=<>]*?)\\s*((==|!=|<=|>=|<|>)\\s*(.+?))?\\s*\\)$");

  private final String text;
  private final List<Step> steps = new ArrayList<>();
  private int at;

  private JsonPathParser(String text) {
    this.text = text;
  }

  static Optional<JsonPath> parse(String text) {
    JsonPathParser parser = new JsonPathParser(text);
    return parser.parse() ? Optional.of(new JsonPath(parser.steps)) : Optional.empty();
  }

  private boolean parse() {
    if (text.startsWith("$") || text.startsWith("@")) {
      at = 1;
    }
    while (at < text.length()) {
      boolean read =
          switch (text.charAt(at)) {
            case '.' -> dot();
            case '[' -> bracket();
            default -> false;
          };
      if (!read) {
        return false;
      }
    }
    return true;
  }

  private boolean dot() {
    at++;
    boolean anywhere = at < text.length() && text.charAt(at) == '.';
    at += anywhere ? 1 : 0;
    StringBuilder name = new StringBuilder();
    while (at < text.length() && ".[".indexOf(text.charAt(at)) < 0) {
      char c = text.charAt(at++);
      if (c == '\\' && at < text.length()) {
        c = text.charAt(at++);
      }
      name.append(c);
    }
    if (name.isEmpty()) {
      // A dot alone is the object itself.
      return !anywhere;
    }
    String field = name.toString();
    if (anywhere) {
      steps.add(JsonPath.anywhere(field));
    } else {
      steps.add(field.equals("*") ? JsonPath.every() : JsonPath.field(field));
    }
    return true;
  }

  private boolean bracket() {
    int end = end();
    if (end < 0) {
      return false;
    }
    String inside = text.substring(at + 1, end).strip();
    at = end + 1;
    Optional<Step> step = step(inside);
    step.ifPresent(steps::add);
    return step.isPresent();
  }

  /** Where the bracket that is open ends; brackets and quotes inside are skipped. */
  private int end() {
    int depth = 0;
    char quote = 0;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '[') {
        depth++;
      } else if (c == ']' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static Optional<Step> step(String inside) {
    if (inside.equals("*")) {
      return Optional.of(JsonPath.every());
    }
    if (inside.length() >= 2 && (inside.startsWith("'") || inside.startsWith("\""))) {
      return Optional.of(JsonPath.field(inside.substring(1, inside.length() - 1)));
    }
    if (inside.startsWith("?")) {
      return filter(inside);
    }
    if (inside.contains(",")) {
      List<Step> all = new ArrayList<>();
      for (String part : inside.split(",", -1)) {
        Optional<Step> one = step(part.strip());
        if (one.isEmpty()) {
          return one;
        }
        all.add(one.get());
      }
      return Optional.of((value, found) -> all.forEach(one -> one.follow(value, found)));
    }
    Matcher slice = SLICE.matcher(inside);
    if (inside.isEmpty() || !slice.matches()) {
      return Optional.empty();
    }
    String from = slice.group(1);
    String to = slice.group(3);
    if (slice.group(2) == null) {
      return from.isEmpty() || from.equals("-")
          ? Optional.empty()
          : Optional.of(JsonPath.index(Integer.parseInt(from)));
    }
    int stride = slice.group(5) == null ? 1 : Math.max(1, Integer.parseInt(slice.group(5)));
    boolean hasTo = to != null && !to.isEmpty();
    return Optional.of(
        JsonPath.slice(
            from.isEmpty() ? 0 : Integer.parseInt(from),
            hasTo ? Integer.parseInt(to) : 0,
            stride,
            !from.isEmpty(),
            hasTo));
  }

  private static Optional<Step> filter(String inside) {
    Matcher matcher = FILTER.matcher(inside);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Optional<JsonPath> path = parse(matcher.group(1).strip());
    if (path.isEmpty()) {
      return Optional.empty();
    }
    String operator = matcher.group(3) == null ? "" : matcher.group(3);
    String right = matcher.group(4) == null ? "" : matcher.group(4).strip();
    return Optional.of((value, found) -> {
      if (value instanceof JsonArray array) {
        for (Object element : array.values()) {
          List<Object> left = path.get().find(element);
          if (operator.isEmpty()
              ? !left.isEmpty()
              : !left.isEmpty() && holds(left.getFirst(), operator, right)) {
            found.add(element);
          }
        }
      }
    });
  }

  private static boolean holds(Object left, String operator, String right) {
    boolean quoted = right.length() >= 2 && (right.startsWith("'") || right.startsWith("\""));
    int order;
    if (quoted || !(left instanceof Long || left instanceof JsonNumber)) {
      String other = quoted ? right.substring(1, right.length() - 1) : right;
      order = JsonPath.text(left).compareTo(other);
    } else {
      try {
        order = Double.compare(Double.parseDouble(left.toString()), Double.parseDouble(right));
      } catch (NumberFormatException _) {
        return false;
      }
    }
    return switch (operator) {
      case "==" -> order == 0;
      case "!=" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }
}
