package dev.berth.customresources.rules;

import dev.berth.model.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * A path such as {@code .spec.color} or {@code .spec['x.y']} that must lead to a field of a schema.
 */
public sealed interface SchemaPath {

  /** The field is there. */
  record Found(String path, StructuralSchema schema) implements SchemaPath {}

  /** It is not, in upstream's words. */
  record Wrong(String why) implements SchemaPath {}

  static SchemaPath find(String text, StructuralSchema root, boolean allowsBrackets) {
    List<String> tokens = tokens(text);
    StructuralSchema schema = root;
    StringBuilder path = new StringBuilder();
    int i = 0;
    while (i < tokens.size()) {
      String token = tokens.get(i++);
      boolean bracket = token.equals("[");
      if (bracket && !allowsBrackets) {
        return new Wrong("array notation is not allowed");
      }
      if (!bracket && !token.equals(".")) {
        return new Wrong("expected [ or . but got: " + token);
      }
      if (i == tokens.size()) {
        return new Wrong("unexpected end of JSON path");
      }
      String name = tokens.get(i++);
      if (bracket) {
        if (name.length() < 2 || !name.startsWith("'") || !name.endsWith("'")) {
          return new Wrong("expected single quoted string but got " + name);
        }
        name = name.substring(1, name.length() - 1).replace("\\'", "'").replace("\\\\", "\\");
        if (i == tokens.size()) {
          return new Wrong("unexpected end of JSON path");
        }
        if (!tokens.get(i++).equals("]")) {
          return new Wrong("expected ] but got " + tokens.get(i - 1));
        }
      }
      boolean named = !schema.properties().isEmpty();
      StructuralSchema next = named ? schema.property(name) : schema.additional();
      if (next == null) {
        return new Wrong("does not refer to a valid field");
      }
      if (named) {
        path.append(path.isEmpty() ? "" : ".").append(name);
      } else {
        path.append('[').append(name).append(']');
      }
      schema = next;
    }
    return new Found(path.toString(), schema);
  }

  /** Delimiters by themselves, quoted texts as one, and what is between. */
  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char first = text.charAt(at);
      int end = at + 1;
      if (first == '\'') {
        while (end < text.length() && (text.charAt(end) != '\'' || text.charAt(end - 1) == '\\')) {
          end++;
        }
        end = Math.min(end + 1, text.length());
      } else if (first != '.' && first != '[' && first != ']') {
        while (end < text.length() && ".[]".indexOf(text.charAt(end)) < 0) {
          end++;
        }
      }
      tokens.add(text.substring(at, end));
      at = end;
    }
    return tokens;
  }
}
