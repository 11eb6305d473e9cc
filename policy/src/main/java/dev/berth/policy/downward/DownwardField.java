package dev.berth.policy.downward;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A field of a pod as a file shows it, {@code fieldRef}.
 *
 * <ol>
 *   <li>{@code metadata.name}, {@code metadata.namespace}, {@code metadata.uid}.
 *   <li>{@code metadata.labels} and {@code metadata.annotations}: a line {@code key="value"} for
 *       each, in the order of the keys, with values quoted as Go does.
 *   <li>One of those, as in {@code metadata.labels['key']}: its value, or nothing.
 * </ol>
 */
public final class DownwardField {
  private static final String LABELS = "metadata.labels";
  private static final String ANNOTATIONS = "metadata.annotations";

  private DownwardField() {}

  public static DownwardValue read(JsonObject pod, String path) {
    Metadata metadata = Metadata.of(pod);
    int subscript = path.indexOf("['");
    if (subscript > 0 && path.endsWith("']") && subscript + 2 <= path.length() - 2) {
      String key = path.substring(subscript + 2, path.length() - 2);
      return one(metadata, path, path.substring(0, subscript), key);
    }
    return switch (path) {
      case "metadata.name" -> new DownwardValue.Text(metadata.name());
      case "metadata.namespace" -> new DownwardValue.Text(metadata.namespace());
      case "metadata.uid" -> new DownwardValue.Text(metadata.uid());
      case LABELS -> new DownwardValue.Text(lines(metadata.labels()));
      case ANNOTATIONS -> new DownwardValue.Text(lines(metadata.annotations()));
      default -> new DownwardValue.Problem("unsupported fieldPath: " + path);
    };
  }

  private static DownwardValue one(Metadata metadata, String path, String field, String key) {
    boolean ofLabels = field.equals(LABELS);
    if (!ofLabels && !field.equals(ANNOTATIONS)) {
      return new DownwardValue.Problem(
          "fieldPath \"%s\" does not support subscript".formatted(path));
    }
    var problems = NameRules.qualifiedName(ofLabels ? key : key.toLowerCase(Locale.ROOT));
    if (!problems.isEmpty()) {
      return new DownwardValue.Problem(
          "invalid key subscript in %s: %s".formatted(path, String.join(";", problems)));
    }
    return new DownwardValue.Text(
        (ofLabels ? metadata.label(key) : metadata.annotation(key)).orElse(""));
  }

  private static String lines(JsonObject entries) {
    StringJoiner lines = new StringJoiner("\n");
    for (Map.Entry<String, String> entry : entries.toStrings().entrySet()) {
      lines.add(entry.getKey() + "=" + quote(entry.getValue()));
    }
    return lines.toString();
  }

  /** As Go's {@code strconv.Quote} writes it. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case 0x07 -> quoted.append("\\a");
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case 0x0b -> quoted.append("\\v");
            default -> {
              if (isPrintable(c)) {
                quoted.appendCodePoint(c);
              } else if (c < 0x80) {
                quoted.append("\\x%02x".formatted(c));
              } else if (c < 0x10000) {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.append("\\U%08x".formatted(c));
              }
            }
          }
        });
    return quoted.append('"').toString();
  }

  /** Letters, marks, numbers, punctuation, symbols, and of all spaces the ordinary one. */
  private static boolean isPrintable(int c) {
    return c == ' '
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.PRIVATE_USE,
              Character.UNASSIGNED,
              Character.SPACE_SEPARATOR,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              false;
          default -> true;
        };
  }
}
