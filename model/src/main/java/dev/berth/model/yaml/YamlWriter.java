package dev.berth.model.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes trees as YAML, with the fields of objects in alphabetical order. Text is quoted unless
 * every reader, of whatever version of YAML, takes it for text.
 */
public final class YamlWriter {
  /** Words that begin with a letter; a colon within, but not at the end of a word. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "[A-Za-z_/][\\w./@+%-]*+(:[\\w./@+%-]++)*+( [\\w./@+%-]++(:[\\w./@+%-]++)*+)*+");

  /** What is not text to some reader. */
  private static final Set<String> WORDS =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private static final int LONGEST_PLAIN = 200;

  private final StringBuilder text = new StringBuilder(1024);

  private YamlWriter() {}

  public static byte[] toBytes(Object tree) {
    YamlWriter writer = new YamlWriter();
    writer.write(tree, 0);
    return writer.text.append('\n').toString().getBytes(UTF_8);
  }

  /** Writes a value where a line has begun, at an indent of its own. */
  private void write(Object value, int indent) {
    switch (value) {
      case JsonObject object when !object.isEmpty() -> {
        boolean first = true;
        for (String name : object.names().stream().sorted().toList()) {
          if (!first) {
            line(indent);
          }
          first = false;
          text(name);
          text.append(':');
          field(object.get(name), indent);
        }
      }
      case JsonArray array when !array.isEmpty() -> {
        for (int i = 0; i < array.size(); i++) {
          if (i > 0) {
            line(indent);
          }
          text.append("- ");
          write(array.get(i), indent + 2);
        }
      }
      case String string -> text(string);
      case JsonNull _ -> text.append("null");
      default -> text.append(JsonWriter.toText(value));
    }
  }

  private void field(@Nullable Object value, int indent) {
    switch (value) {
      case JsonObject object when !object.isEmpty() -> {
        line(indent + 2);
        write(object, indent + 2);
      }
      case JsonArray array when !array.isEmpty() -> {
        line(indent);
        write(array, indent);
      }
      case null -> {}
      default -> {
        text.append(' ');
        write(value, indent);
      }
    }
  }

  private void line(int indent) {
    text.append('\n').repeat(' ', indent);
  }

  private void text(String string) {
    boolean plain =
        string.length() <= LONGEST_PLAIN
            && !WORDS.contains(string.toLowerCase(Locale.ROOT))
            && PLAIN.matcher(string).matches();
    if (plain) {
      text.append(string);
      return;
    }
    String quoted = JsonWriter.toText(string);
    for (int i = 0; i < quoted.length(); i++) {
      char c = quoted.charAt(i);
      // Line breaks to some readers of YAML, or no text at all, though JSON has them as they are.
      boolean strange = (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff;
      if (strange) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
  }
}
