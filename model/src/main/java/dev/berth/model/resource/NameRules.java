package dev.berth.model.resource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules for names. Each method returns Kubernetes' messages about what is wrong with a text,
 * none if nothing is; whoever asks puts the field and the value in front of them.
 *
 * <p>The regular expressions are in the messages only. What they say is checked by hand, because
 * every object that is written passes through here.
 */
public final class NameRules {
  private static final int LABEL_LENGTH = 63;
  private static final int SUBDOMAIN_LENGTH = 253;

  /** What a length is counted in, by the messages: two of upstream's libraries differ. */
  private static final String CHARACTERS = " characters";

  private static final String BYTES = " bytes";

  private static final String DNS_1123_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

  private static final String BAD_DNS_1123_LABEL =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
          + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
          + " regex used for validation is '"
          + DNS_1123_LABEL
          + "')";

  private static final String BAD_DNS_1123_SUBDOMAIN =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
          + " regex used for validation is '"
          + DNS_1123_LABEL
          + "(\\."
          + DNS_1123_LABEL
          + ")*')";

  private static final String BAD_WILDCARD =
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which"
          + " must consist of lower case alphanumeric characters, '-' or '.' and end with an"
          + " alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\."
          + DNS_1123_LABEL
          + "(\\."
          + DNS_1123_LABEL
          + ")*')";

  private static final String BAD_DNS_1035_LABEL =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
          + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
          + " 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

  private static final String BAD_QUALIFIED =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '"
          + QUALIFIED
          + "')";

  private static final String BAD_LABEL_VALUE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is '("
          + QUALIFIED
          + ")?')";

  private NameRules() {}

  /** The name of a namespace, a container, a port. */
  public static List<String> dns1123Label(String text) {
    List<String> problems = tooLong(text, LABEL_LENGTH, CHARACTERS);
    if (!isLowerCaseLabel(text, 0, text.length())) {
      problems.add(isSubdomain(text) ? "must not contain dots" : BAD_DNS_1123_LABEL);
    }
    return List.copyOf(problems);
  }

  /** The name of most objects. */
  public static List<String> dns1123Subdomain(String text) {
    return subdomain(text, CHARACTERS);
  }

  private static List<String> subdomain(String text, String unit) {
    List<String> problems = tooLong(text, SUBDOMAIN_LENGTH, unit);
    if (!isSubdomain(text)) {
      problems.add(BAD_DNS_1123_SUBDOMAIN);
    }
    return List.copyOf(problems);
  }

  /** A domain and all below it: {@code *.example.com}. */
  public static List<String> wildcardSubdomain(String text) {
    List<String> problems = tooLong(text, SUBDOMAIN_LENGTH, CHARACTERS);
    if (!text.startsWith("*.") || !isSubdomain(text.substring(2))) {
      problems.add(BAD_WILDCARD);
    }
    return List.copyOf(problems);
  }

  /** The name of a variable in C. */
  public static List<String> cIdentifier(String text) {
    return text.matches("[A-Za-z_][A-Za-z0-9_]*")
        ? List.of()
        : List.of(
            "a valid C identifier must start with alphabetic character or '_', followed by a string"
                + " of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',"
                + " regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')");
  }

  /** What such a name may begin with: a dash may be last, since something is to follow. */
  public static List<String> dns1123SubdomainPrefix(String text) {
    return dns1123Subdomain(
        text.length() > 1 && text.endsWith("-")
            ? text.substring(0, text.length() - 1) + "a"
            : text);
  }

  /** The name of a service. */
  public static List<String> dns1035Label(String text) {
    List<String> problems = tooLong(text, LABEL_LENGTH, CHARACTERS);
    if (!isLowerCaseLabel(text, 0, text.length()) || isDigit(text.charAt(0))) {
      problems.add(BAD_DNS_1035_LABEL);
    }
    return List.copyOf(problems);
  }

  /** The key of a label, an annotation, a taint, an extended resource: {@code example.com/name}. */
  public static List<String> qualifiedName(String text) {
    int slash = text.indexOf('/');
    if (slash != text.lastIndexOf('/')) {
      return List.of(
          "a valid label key "
              + BAD_QUALIFIED
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    List<String> problems = new ArrayList<>();
    if (slash == 0) {
      problems.add("prefix part must be non-empty");
    } else if (slash > 0) {
      subdomain(text.substring(0, slash), BYTES).forEach(p -> problems.add("prefix part " + p));
    }
    String name = text.substring(slash + 1);
    if (name.isEmpty()) {
      problems.add("name part must be non-empty");
    }
    tooLong(name, LABEL_LENGTH, BYTES).forEach(p -> problems.add("name part " + p));
    if (name.isEmpty() || !isQualified(name)) {
      problems.add("name part " + BAD_QUALIFIED);
    }
    return List.copyOf(problems);
  }

  public static List<String> labelValue(String text) {
    List<String> problems = tooLong(text, LABEL_LENGTH, BYTES);
    if (!isQualified(text)) {
      problems.add(BAD_LABEL_VALUE);
    }
    return List.copyOf(problems);
  }

  /** The least that any name must be, because it becomes a segment of a path. */
  public static List<String> pathSegment(String text) {
    if (text.equals(".") || text.equals("..")) {
      return List.of("may not be '" + text + "'");
    }
    List<String> problems = new ArrayList<>();
    for (String forbidden : List.of("/", "%")) {
      if (text.contains(forbidden)) {
        problems.add("may not contain '" + forbidden + "'");
      }
    }
    return List.copyOf(problems);
  }

  /** Room for more problems, holding the length's if it is one. Lengths are counted in UTF-8. */
  private static List<String> tooLong(String text, int limit, String unit) {
    List<String> problems = new ArrayList<>(2);
    // A character has at most three bytes, so short texts need not be encoded to be measured.
    if (text.length() > limit / 3 && text.getBytes(StandardCharsets.UTF_8).length > limit) {
      problems.add("must be no more than " + limit + unit);
    }
    return problems;
  }

  private static boolean isSubdomain(String text) {
    int start = 0;
    for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', start)) {
      if (!isLowerCaseLabel(text, start, dot)) {
        return false;
      }
      start = dot + 1;
    }
    return isLowerCaseLabel(text, start, text.length());
  }

  private static boolean isLowerCaseLabel(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      boolean inside = i > start && i < end - 1;
      if (!isLowerCase(c) && !isDigit(c) && !(c == '-' && inside)) {
        return false;
      }
    }
    return start < end;
  }

  /** Whether a text is empty or of letters and digits with dashes, underscores and dots inside. */
  private static boolean isQualified(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean inside = i > 0 && i < text.length() - 1;
      boolean alphanumeric = isLowerCase(c) || isDigit(c) || (c >= 'A' && c <= 'Z');
      if (!alphanumeric && !(inside && (c == '-' || c == '_' || c == '.'))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLowerCase(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
