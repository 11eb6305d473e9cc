package dev.berth.cel.library;

import dev.berth.cel.value.CelType;
import dev.berth.cel.value.TypedValue;
import dev.berth.model.resource.NameRules;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A format that a string can be checked against.
 *
 * @param regexSize the length of the regular expression behind it, on which the cost of a check
 *     depends
 */
public record NamedFormat(String name, Function<String, List<String>> validate, long regexSize)
    implements TypedValue {
  static final CelType TYPE = CelType.object("kubernetes.NamedFormat");
  static final Map<String, NamedFormat> ALL = new LinkedHashMap<>();

  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
  private static final Pattern BASE64 =
      Pattern.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
              + "([Zz]|[+-][0-9]{2}:?[0-9]{2})");

  static {
    add("dns1123Label", "DNS1123Label", NameRules::dns1123Label, 30);
    add("dns1123Subdomain", "DNS1123Subdomain", NameRules::dns1123Subdomain, 60);
    add("dns1035Label", "DNS1035Label", NameRules::dns1035Label, 30);
    add("qualifiedName", "QualifiedName", NameRules::qualifiedName, 60);
    add("dns1123LabelPrefix", "DNS1123LabelPrefix", prefix(NameRules::dns1123Label), 30);
    add(
        "dns1123SubdomainPrefix",
        "DNS1123SubdomainPrefix",
        prefix(NameRules::dns1123Subdomain),
        60);
    add("dns1035LabelPrefix", "DNS1035LabelPrefix", prefix(NameRules::dns1035Label), 30);
    add("labelValue", "LabelValue", NameRules::labelValue, 40);
    add("uri", "URI", check(UrlFunctions::isUrl, "invalid URI for request"), 1103);
    add("uuid", "uuid", check(UUID.asMatchPredicate(), "does not match the UUID format"), 86);
    add("byte", "byte", check(BASE64.asMatchPredicate(), "invalid base64"), 84);
    add("date", "date", check(NamedFormat::isDate, "invalid date"), 111);
    add("datetime", "datetime", check(NamedFormat::isDateTime, "invalid datetime"), 111);
  }

  private static void add(
      String function, String name, Function<String, List<String>> validate, long regexSize) {
    ALL.put(function, new NamedFormat(name, validate, regexSize));
  }

  private static Function<String, List<String>> check(Predicate<String> test, String problem) {
    return text -> test.test(text) ? List.of() : List.of(problem);
  }

  /** A name that is still to get an ending may end with a dash. */
  private static Function<String, List<String>> prefix(Function<String, List<String>> rule) {
    return text ->
        rule.apply(text.endsWith("-") ? text.substring(0, text.length() - 1) + "a" : text);
  }

  private static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    return DATE_TIME.matcher(text).matches() && isDate(text.substring(0, 10));
  }

  @Override
  public CelType celType() {
    return TYPE;
  }
}
