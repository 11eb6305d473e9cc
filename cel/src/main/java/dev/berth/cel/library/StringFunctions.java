package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.DYN;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.Values;
import java.util.ArrayList;
import java.util.List;

/** Functions of strings. Positions are counted in code points. */
final class StringFunctions {
  private static final CelType STRINGS = CelType.list(STRING);

  private StringFunctions() {}

  static void addTo(FunctionTable table) {
    tests(table);
    parts(table);
    searches(table);
    changes(table);
    table.add(
        "format",
        member(
            "string_format",
            STRING,
            args -> StringFormat.format(text(args, 0), args[1]),
            STRING,
            CelType.list(DYN)));
    table.add(
        "strings.quote",
        Overload.of("strings_quote", STRING, args -> quote(text(args, 0)), STRING));
    table.add(
        "join",
        member("list_join", STRING, args -> join(args[0], ""), STRINGS),
        member("list_join_string", STRING, args -> join(args[0], text(args, 1)), STRINGS, STRING));
    table.add(
        "jsonpatch.escapeKey",
        Overload.of(
            "string_jsonpatch_escapeKey_string",
            STRING,
            args -> text(args, 0).replace("~", "~0").replace("/", "~1"),
            STRING));
  }

  private static void tests(FunctionTable table) {
    table.add(
        "contains",
        member(
            "contains_string",
            BOOL,
            args -> text(args, 0).contains(text(args, 1)),
            STRING,
            STRING));
    table.add(
        "endsWith",
        member(
            "ends_with_string",
            BOOL,
            args -> text(args, 0).endsWith(text(args, 1)),
            STRING,
            STRING));
    table.add(
        "startsWith",
        member(
            "starts_with_string",
            BOOL,
            args -> text(args, 0).startsWith(text(args, 1)),
            STRING,
            STRING));
  }

  private static void parts(FunctionTable table) {
    table.add(
        "charAt",
        member(
            "string_char_at_int", STRING, args -> charAt(text(args, 0), at(args, 1)), STRING, INT));
    table.add(
        "substring",
        member(
            "string_substring_int",
            STRING,
            args -> substring(text(args, 0), at(args, 1), Values.size(args[0])),
            STRING,
            INT),
        member(
            "string_substring_int_int",
            STRING,
            args -> substring(text(args, 0), at(args, 1), at(args, 2)),
            STRING,
            INT,
            INT));
    table.add(
        "split",
        member(
            "string_split_string",
            STRINGS,
            args -> split(text(args, 0), text(args, 1), -1),
            STRING,
            STRING),
        member(
            "string_split_string_int",
            STRINGS,
            args -> split(text(args, 0), text(args, 1), at(args, 2)),
            STRING,
            STRING,
            INT));
  }

  private static void searches(FunctionTable table) {
    table.add(
        "indexOf",
        member(
            "string_index_of_string",
            INT,
            args -> indexOf(text(args, 0), text(args, 1), 0),
            STRING,
            STRING),
        member(
            "string_index_of_string_int",
            INT,
            args -> indexOf(text(args, 0), text(args, 1), at(args, 2)),
            STRING,
            STRING,
            INT));
    table.add(
        "lastIndexOf",
        member(
            "string_last_index_of_string",
            INT,
            args -> lastIndexOf(text(args, 0), text(args, 1)),
            STRING,
            STRING),
        member(
            "string_last_index_of_string_int",
            INT,
            args -> lastIndexOf(text(args, 0), text(args, 1), at(args, 2)),
            STRING,
            STRING,
            INT));
  }

  private static void changes(FunctionTable table) {
    table.add(
        "lowerAscii",
        member(
            "string_lower_ascii", STRING, args -> mapAscii(text(args, 0), 'A', 'Z', 32), STRING));
    table.add(
        "upperAscii",
        member(
            "string_upper_ascii", STRING, args -> mapAscii(text(args, 0), 'a', 'z', -32), STRING));
    table.add("trim", member("string_trim", STRING, args -> trim(text(args, 0)), STRING));
    table.add(
        "replace",
        member(
            "string_replace_string_string",
            STRING,
            args -> replace(text(args, 0), text(args, 1), text(args, 2), -1),
            STRING,
            STRING,
            STRING),
        member(
            "string_replace_string_string_int",
            STRING,
            args -> replace(text(args, 0), text(args, 1), text(args, 2), at(args, 3)),
            STRING,
            STRING,
            STRING,
            INT));
  }

  private static String text(Object[] args, int index) {
    return (String) args[index];
  }

  private static long at(Object[] args, int index) {
    return (Long) args[index];
  }

  private static CelException outOfRange(long index) {
    return new CelException("index out of range: " + index);
  }

  private static String charAt(String text, long index) {
    int[] points = text.codePoints().toArray();
    if (index < 0 || index > points.length) {
      throw outOfRange(index);
    }
    return index == points.length ? "" : Character.toString(points[(int) index]);
  }

  private static String substring(String text, long start, long end) {
    long length = Values.size(text);
    if (start < 0 && end == length) {
      throw outOfRange(start);
    }
    if (start > length && end == length) {
      throw outOfRange(start);
    }
    if (start > end) {
      throw new CelException("invalid substring range. start: " + start + ", end: " + end);
    }
    if (start < 0 || start > length) {
      throw outOfRange(start);
    }
    if (end > length) {
      throw outOfRange(end);
    }
    return text.substring(
        text.offsetByCodePoints(0, (int) start), text.offsetByCodePoints(0, (int) end));
  }

  private static List<Object> split(String text, String separator, long limit) {
    List<Object> parts = new ArrayList<>();
    if (limit == 0) {
      return parts;
    }
    if (separator.isEmpty()) {
      int at = 0;
      while (at < text.length() && (limit < 0 || parts.size() < limit - 1)) {
        int next = text.offsetByCodePoints(at, 1);
        parts.add(text.substring(at, next));
        at = next;
      }
      if (at < text.length()) {
        parts.add(text.substring(at));
      }
      return parts;
    }
    int at = 0;
    while (limit < 0 || parts.size() < limit - 1) {
      int found = text.indexOf(separator, at);
      if (found < 0) {
        break;
      }
      parts.add(text.substring(at, found));
      at = found + separator.length();
    }
    parts.add(text.substring(at));
    return parts;
  }

  private static long indexOf(String text, String part, long offset) {
    if (part.isEmpty()) {
      return offset;
    }
    if (offset < 0) {
      throw outOfRange(offset);
    }
    if (offset >= Values.size(text)) {
      return -1;
    }
    int found = text.indexOf(part, text.offsetByCodePoints(0, (int) offset));
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  private static long lastIndexOf(String text, String part) {
    long length = Values.size(text);
    if (part.isEmpty()) {
      return length;
    }
    return text.length() < part.length() ? -1 : lastIndexOf(text, part, length - 1);
  }

  private static long lastIndexOf(String text, String part, long offset) {
    if (part.isEmpty()) {
      return offset;
    }
    if (offset < 0) {
      throw outOfRange(offset);
    }
    if (offset >= Values.size(text)) {
      return -1;
    }
    int found = text.lastIndexOf(part, text.offsetByCodePoints(0, (int) offset));
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  private static String mapAscii(String text, char from, char to, int shift) {
    StringBuilder mapped = new StringBuilder(text);
    for (int i = 0; i < mapped.length(); i++) {
      char c = mapped.charAt(i);
      if (c >= from && c <= to) {
        mapped.setCharAt(i, (char) (c + shift));
      }
    }
    return mapped.toString();
  }

  /** Without what Unicode counts as white space at both ends. */
  private static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isSpace(char c) {
    return (c >= 9 && c <= 13) || c == 0x85 || Character.isSpaceChar(c);
  }

  private static String replace(String text, String old, String with, long limit) {
    if (limit < 0 && !old.isEmpty()) {
      return text.replace(old, with);
    }
    StringBuilder result = new StringBuilder();
    int at = 0;
    for (long count = 0; limit < 0 || count < limit; count++) {
      int found = text.indexOf(old, at);
      if (old.isEmpty()) {
        // An empty pattern matches before each code point, and at the end.
        if (count > 0) {
          if (at >= text.length()) {
            break;
          }
          int next = text.offsetByCodePoints(at, 1);
          result.append(text, at, next);
          at = next;
        }
        result.append(with);
        continue;
      }
      if (found < 0) {
        break;
      }
      result.append(text, at, found).append(with);
      at = found + old.length();
    }
    return result.append(text.substring(at)).toString();
  }

  private static String join(Object list, String separator) {
    StringBuilder joined = new StringBuilder();
    List<Object> elements = Values.asList(list);
    String between = "";
    for (Object element : elements == null ? List.<Object>of() : elements) {
      if (!(element instanceof String text)) {
        throw new CelException("join: invalid input: " + element);
      }
      joined.append(between).append(text);
      between = separator;
    }
    return joined.toString();
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int escape = "\007\b\f\n\r\t\013\\\"".indexOf(c);
      quoted.append(escape < 0 ? String.valueOf(c) : "\\" + "abfnrtv\\\"".charAt(escape));
    }
    return quoted.append('"').toString();
  }
}
