package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.berth.cel.library.Overload.Implementation;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Regular expressions, by RE2: the time they take grows no faster than their input. */
public final class RegexFunctions {
  /** Patterns are mostly constants, of which there are few; the rest is compiled each time. */
  private static final int MAX_REMEMBERED = 1_000;

  private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

  private RegexFunctions() {}

  static void addTo(FunctionTable table) {
    Implementation matches = args -> pattern((String) args[1]).matcher((String) args[0]).find();
    table.add(
        "matches",
        Overload.of("matches", BOOL, matches, STRING, STRING),
        member("matches_string", BOOL, matches, STRING, STRING));
    table.add(
        "find",
        member(
            "string_find_string",
            STRING,
            args -> {
              Matcher matcher = pattern((String) args[1]).matcher((String) args[0]);
              return matcher.find() ? matcher.group() : "";
            },
            STRING,
            STRING));
    CelType strings = CelType.list(STRING);
    table.add(
        "findAll",
        member(
            "string_find_all_string",
            strings,
            args -> findAll((String) args[0], (String) args[1], -1),
            STRING,
            STRING),
        member(
            "string_find_all_string_int",
            strings,
            args -> findAll((String) args[0], (String) args[1], (Long) args[2]),
            STRING,
            STRING,
            INT));
  }

  /** A pattern; fails if it is none. */
  public static Pattern pattern(String text) {
    Pattern known = PATTERNS.get(text);
    if (known != null) {
      return known;
    }
    try {
      Pattern pattern = Pattern.compile(text);
      if (PATTERNS.size() < MAX_REMEMBERED) {
        PATTERNS.put(text, pattern);
      }
      return pattern;
    } catch (PatternSyntaxException e) {
      boolean unopened = "stack underflow".equals(e.getPattern());
      throw new CelException(
          "error parsing regexp: "
              + (unopened ? "unexpected )" : e.getDescription())
              + ": `"
              + (unopened ? text : e.getPattern())
              + "`");
    }
  }

  private static Object findAll(String text, String regex, long limit) {
    List<Object> found = new ArrayList<>();
    Matcher matcher = pattern(regex).matcher(text);
    while ((limit < 0 || found.size() < limit) && matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }
}
