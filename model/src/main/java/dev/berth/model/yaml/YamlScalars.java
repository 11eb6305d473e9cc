package dev.berth.model.yaml;

import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a scalar of YAML means to Kubernetes, whose reader is of the older sort:
 *
 * <ol>
 *   <li>What is quoted, or tagged as a string, is a string.
 *   <li>{@code ~}, {@code null} and nothing at all are null.
 *   <li>{@code true}, {@code yes}, {@code on}, {@code y} and their opposites are booleans.
 *   <li>Integers may be hexadecimal, octal (with or without the o), or binary, and hold
 *       underscores.
 *   <li>Everything else that is no number is a string, times included.
 * </ol>
 */
final class YamlScalars {
  private static final String TAGS = "tag:yaml.org,2002:";

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Pattern INTEGER =
      Pattern.compile("([-+]?)(0x[0-9a-fA-F]+|0b[01]+|0o?[0-7]+|0|[1-9][0-9]*)");
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private static final int LONGEST_NUMBER = 100;

  private YamlScalars() {}

  /**
   * The value of a scalar.
   *
   * @param plain whether it is not quoted
   * @throws IllegalArgumentException if no JSON could hold it
   */
  static Object resolve(String text, boolean plain, Optional<String> tag) {
    String type = tag.orElse("");
    if ((!plain && type.isEmpty()) || type.equals("!") || type.equals(TAGS + "str")) {
      return text;
    }
    boolean known =
        type.isEmpty()
            || type.equals(TAGS + "null")
            || type.equals(TAGS + "bool")
            || type.equals(TAGS + "int")
            || type.equals(TAGS + "float");
    if (!known) {
      throw new IllegalArgumentException("the tag " + type + " is not understood");
    }
    if (NULLS.contains(text)) {
      return JsonNull.NULL;
    }
    if (TRUE.contains(text)) {
      return true;
    }
    if (FALSE.contains(text)) {
      return false;
    }
    if (NOT_FINITE.matcher(text).matches()) {
      throw new IllegalArgumentException("the number " + text + " is not finite");
    }
    Object number = text.length() > LONGEST_NUMBER ? null : number(text.replace("_", ""));
    return number == null ? text : number;
  }

  private static @Nullable Object number(String text) {
    Matcher integer = INTEGER.matcher(text);
    if (integer.matches()) {
      BigInteger value = integer(integer.group(2));
      BigInteger signed = integer.group(1).equals("-") ? value.negate() : value;
      return signed.bitLength() < Long.SIZE
          ? (Object) signed.longValue()
          : new JsonNumber(signed.toString());
    }
    if (!FRACTION.matcher(text).matches()) {
      return null;
    }
    if (Double.isInfinite(Double.parseDouble(text))) {
      throw new IllegalArgumentException("the number " + text + " is beyond the range of a double");
    }
    return new JsonNumber(
        JSON_NUMBER.matcher(text).matches()
            ? text
            : BigDecimal.valueOf(Double.parseDouble(text)).toString());
  }

  private static BigInteger integer(String digits) {
    if (digits.startsWith("0x")) {
      return new BigInteger(digits.substring(2), 16);
    }
    if (digits.startsWith("0b")) {
      return new BigInteger(digits.substring(2), 2);
    }
    if (digits.startsWith("0") && digits.length() > 1) {
      return new BigInteger(digits.substring(digits.charAt(1) == 'o' ? 2 : 1), 8);
    }
    return new BigInteger(digits);
  }
}
