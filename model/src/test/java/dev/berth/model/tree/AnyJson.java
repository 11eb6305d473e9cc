package dev.berth.model.tree;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Writes random JSON documents, odd ones included, without the code under test. */
final class AnyJson {
  private static final String[] NUMBERS = {
    "0",
    "-0",
    "1",
    "-1",
    "42",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "123456789012345678901234567890",
    "0.1",
    "-0.0",
    "1.50",
    "1e3",
    "1E+3",
    "2.5e-7",
    "1e-400",
    "1.7976931348623157e308",
    "0e0"
  };
  private static final String[] CHARACTERS = {
    "a",
    "Z",
    "7",
    " ",
    ".",
    "/",
    "-",
    "é",
    "ß",
    "節",
    "😀",
    "\\u0061",
    "\\ud83d\\ude00",
    "\\n",
    "\\t",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u0000",
    "\\u001f",
    "\u007f",
    "\u2028",
    "\uFEFF"
  };

  private final SplittableRandom random;
  private final StringBuilder out = new StringBuilder();

  private AnyJson(SplittableRandom random) {
    this.random = random;
  }

  static String document(SplittableRandom random) {
    AnyJson json = new AnyJson(random);
    json.value(0);
    return json.out.toString();
  }

  private void value(int depth) {
    switch (random.nextInt(depth > 8 || out.length() > 2_000 ? 5 : 8)) {
      case 0 -> out.append(random.nextBoolean());
      case 1 -> out.append("null");
      case 2 -> out.append(NUMBERS[random.nextInt(NUMBERS.length)]);
      case 3 -> out.append(random.nextLong());
      case 4 -> out.append(string());
      case 5 -> array(depth);
      default -> object(depth);
    }
  }

  private void array(int depth) {
    out.append('[');
    int size = size();
    for (int i = 0; i < size; i++) {
      out.append(i == 0 ? "" : ",").append(space());
      value(depth + 1);
    }
    out.append(space()).append(']');
  }

  private void object(int depth) {
    out.append('{');
    // Names that look different can mean the same ("a" and its escape), so each gets its number.
    Set<String> names = new LinkedHashSet<>();
    int size = size();
    for (int i = 0; i < size; i++) {
      String name = string();
      names.add("\"" + i + name.substring(1));
    }
    String separator = "";
    for (String name : names) {
      out.append(separator).append(space()).append(name).append(space()).append(':');
      value(depth + 1);
      separator = ",";
    }
    out.append('}');
  }

  private int size() {
    return random.nextInt(20) == 0 ? random.nextInt(200) : random.nextInt(5);
  }

  private String string() {
    StringBuilder text = new StringBuilder("\"");
    int length = random.nextInt(50) == 0 ? random.nextInt(300) : random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.append('"').toString();
  }

  private String space() {
    return random.nextInt(10) == 0 ? " \n\t" : "";
  }
}
