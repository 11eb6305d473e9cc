package dev.berth.customresources.schema;

import com.google.re2j.Pattern;
import dev.berth.model.resource.NameRules;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The formats of strings that are checked; all others mean nothing. */
public final class Formats {
  private static final Pattern HOSTNAME =
      Pattern.compile(
          "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
              + "|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)"
              + "(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$");
  private static final Pattern TIME_OF_DAY =
      Pattern.compile("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$");
  private static final int DATE_LENGTH = 10;
  private static final String HEX_OCTET = "[0-9a-fA-F]{2}";
  private static final String RGB_PART = "(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])";
  private static final String GO_DURATION_UNIT = "(ns|us|µs|μs|ms|s|m|h)";
  private static final String GO_DURATION =
      "^[-+]?(0|((\\d+(\\.\\d*)?|\\.\\d+)" + GO_DURATION_UNIT + ")+)$";
  private static final String SCALA_DURATION =
      "(\\d+)\\s*(ns|nano|nanos|nanosecond|nanoseconds|us|µs|micro|micros|microsecond|microseconds"
          + "|ms|milli|millis|millisecond|milliseconds|s|sec|secs|second|seconds|m|min|mins|minute"
          + "|minutes|h|hr|hrs|hour|hours|d|day|days|w|wk|wks|week|weeks)";

  /** By their names without dashes. */
  private static final Map<String, Predicate<String>> KNOWN =
      Map.ofEntries(
          Map.entry("bsonobjectid", matching("^[0-9a-fA-F]{24}$")),
          Map.entry("uri", Formats::isRequestUri),
          Map.entry("email", Formats::isEmail),
          Map.entry("hostname", Formats::isHostname),
          Map.entry("ipv4", Addresses::isV4),
          Map.entry("ipv6", Addresses::isV6),
          Map.entry("cidr", Addresses::isCidr),
          Map.entry("mac", Formats::isMac),
          Map.entry("uuid", uuid("[0-9a-f]{4}-?[0-9a-f]{4}")),
          Map.entry("uuid3", uuid("3[0-9a-f]{3}-?[0-9a-f]{4}")),
          Map.entry("uuid4", uuid("4[0-9a-f]{3}-?[89ab][0-9a-f]{3}")),
          Map.entry("uuid5", uuid("5[0-9a-f]{3}-?[89ab][0-9a-f]{3}")),
          Map.entry("isbn", text -> Checksums.isIsbn10(text) || Checksums.isIsbn13(text)),
          Map.entry("isbn10", Checksums::isIsbn10),
          Map.entry("isbn13", Checksums::isIsbn13),
          Map.entry("creditcard", Checksums::isCreditCard),
          Map.entry("ssn", matching("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$")),
          Map.entry("hexcolor", matching("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")),
          Map.entry(
              "rgbcolor",
              matching(
                  "^rgb\\(\\s*"
                      + String.join("\\s*,\\s*", RGB_PART, RGB_PART, RGB_PART)
                      + "\\s*\\)$")),
          Map.entry(
              "byte",
              matching(
                  "^(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}="
                      + "|[A-Za-z0-9+\\/]{4})$")),
          Map.entry("password", text -> true),
          Map.entry("date", Formats::isDate),
          Map.entry("duration", Formats.<String>either(GO_DURATION, SCALA_DURATION)),
          Map.entry("datetime", Formats::isDateTime),
          Map.entry("k8sshortname", text -> NameRules.dns1123Label(text).isEmpty()),
          Map.entry("k8slongname", text -> NameRules.dns1123Subdomain(text).isEmpty()));

  private Formats() {}

  /** The check of a format; empty if there is none of this name. */
  static Optional<Predicate<String>> of(String format) {
    return Optional.ofNullable(KNOWN.get(format.replace("-", "")));
  }

  /** Whether values of a type are checked by a format, or may at least have it. */
  public static boolean isKnown(String type, String format) {
    return switch (type) {
      case "", "string" -> of(format).isPresent();
      case "integer" -> format.equals("int32") || format.equals("int64");
      case "number" -> format.equals("float") || format.equals("double");
      default -> false;
    };
  }

  private static Predicate<String> matching(String expression) {
    Pattern pattern = Pattern.compile(expression);
    return text -> pattern.matcher(text).find();
  }

  private static Predicate<String> uuid(String middle) {
    return matching("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?" + middle + "-?[0-9a-f]{12}$");
  }

  private static <T extends CharSequence> Predicate<T> either(String first, String second) {
    Pattern one = Pattern.compile(first);
    Pattern other = Pattern.compile(second);
    return text -> one.matcher(text).find() || other.matcher(text).find();
  }

  /** A URI as it stands in the first line of a request: absolute, or a path from the root. */
  private static boolean isRequestUri(String text) {
    if (text.startsWith("/")) {
      return text.chars().noneMatch(c -> c <= ' ' || c == 0x7f);
    }
    int colon = text.indexOf(':');
    return colon > 0
        && text.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")
        && text.length() > colon + 1
        && text.chars().noneMatch(c -> c <= ' ' || c == 0x7f);
  }

  private static boolean isEmail(String text) {
    String address = text.strip();
    int begin = address.lastIndexOf('<');
    if (begin >= 0) {
      if (!address.endsWith(">")) {
        return false;
      }
      address = address.substring(begin + 1, address.length() - 1);
    }
    int at = address.lastIndexOf('@');
    return at > 0
        && at < address.length() - 1
        && address.chars().noneMatch(c -> c <= ' ' || c == '<' || c == '>' || c == ',' || c == ';')
        && !address.startsWith(".")
        && !address.contains("..")
        && address.charAt(at - 1) != '.'
        && !address.endsWith(".")
        && address.indexOf('@') == at;
  }

  private static boolean isHostname(String text) {
    if (!HOSTNAME.matcher(text).find()) {
      return false;
    }
    // Labels of letters that no domain has end where none can be.
    for (String label : text.split("\\.", -1)) {
      if (label.isEmpty() || label.length() > 63) {
        return false;
      }
    }
    return text.length() <= 255;
  }

  private static boolean isMac(String text) {
    for (int octets : new int[] {6, 8, 20}) {
      String rest = "{" + (octets - 1) + "}";
      if (text.matches(HEX_OCTET + "(:" + HEX_OCTET + ")" + rest)
          || text.matches(HEX_OCTET + "(-" + HEX_OCTET + ")" + rest)
          || text.matches("[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){" + (octets / 2 - 1) + "}")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDate(String text) {
    try {
      var _ = LocalDate.parse(text);
      return text.length() == DATE_LENGTH;
    } catch (DateTimeParseException _) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
    if (parts.length < 2 || !isDate(parts[0])) {
      return false;
    }
    var matcher = TIME_OF_DAY.matcher(parts[1]);
    return matcher.find()
        && matcher.group(1).compareTo("23") <= 0
        && matcher.group(2).compareTo("59") <= 0
        && matcher.group(3).compareTo("59") <= 0;
  }
}
