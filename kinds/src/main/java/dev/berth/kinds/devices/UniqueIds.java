package dev.berth.kinds.devices;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * What is wrong with a unique id: it is first read in all its forms (plain, with a prefix, in
 * braces, without dashes), and must then be in the plain one, in lower case.
 */
final class UniqueIds {
  private static final String PREFIX = "urn:uuid:";
  private static final int PLAIN = 36;
  private static final int WITHOUT_DASHES = 32;
  private static final String DIGIT = "[0-9a-fA-F]";
  private static final String FORM = DIGIT + "{8}(-" + DIGIT + "{4}){3}-" + DIGIT + "{12}";

  private UniqueIds() {}

  static Optional<String> problem(String id) {
    Optional<String> unreadable = unreadable(id);
    if (unreadable.isPresent()) {
      return Optional.of("error validating uid: " + unreadable.get());
    }
    return id.length() == PLAIN && id.equals(id.toLowerCase(Locale.ROOT))
        ? Optional.empty()
        : Optional.of(
            "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with"
                + " lowercase hexadecimal characters");
  }

  private static Optional<String> unreadable(String id) {
    int length = id.getBytes(StandardCharsets.UTF_8).length;
    String plain = id;
    String form = FORM;
    if (length == PLAIN + PREFIX.length()) {
      String prefix = id.substring(0, Math.min(PREFIX.length(), id.length()));
      if (!prefix.equalsIgnoreCase(PREFIX)) {
        return Optional.of("invalid urn prefix: \"" + prefix + "\"");
      }
      plain = id.substring(PREFIX.length());
    } else if (length == PLAIN + 2) {
      if (!id.startsWith("{") || !id.endsWith("}")) {
        return Optional.of("invalid bracketed UUID format");
      }
      plain = id.substring(1, id.length() - 1);
    } else if (length == WITHOUT_DASHES) {
      form = DIGIT + "{" + WITHOUT_DASHES + "}";
    } else if (length != PLAIN) {
      return Optional.of("invalid UUID length: " + length);
    }
    return plain.matches(form) ? Optional.empty() : Optional.of("invalid UUID format");
  }
}
