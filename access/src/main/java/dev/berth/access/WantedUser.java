package dev.berth.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Exchange;
import dev.berth.registry.status.Failures;
import java.net.URLDecoder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whom a request's headers ask to act as. */
record WantedUser(String name, List<String> groups, String uid, Map<String, List<String>> extra) {
  private static final String USER = "Impersonate-User";
  private static final String GROUP = "Impersonate-Group";
  private static final String UID = "Impersonate-Uid";
  private static final String EXTRA = "impersonate-extra-";

  /** Nobody, if the headers say nothing of it. */
  static Optional<WantedUser> of(Exchange exchange) {
    WantedUser wanted =
        new WantedUser(
            exchange.header(USER).orElse(""),
            exchange.headers(GROUP),
            exchange.header(UID).orElse(""),
            extra(exchange));
    if (!wanted.name.isEmpty()) {
      return Optional.of(wanted);
    }
    if (!wanted.isNameOnly()) {
      throw Failures.internal(
          "requested groups %s, uid \"%s\" and extra %s without impersonating a user"
              .formatted(wanted.groups, wanted.uid, wanted.extra.keySet()));
    }
    return Optional.empty();
  }

  boolean isNameOnly() {
    return groups.isEmpty() && uid.isEmpty() && extra.isEmpty();
  }

  private static Map<String, List<String>> extra(Exchange exchange) {
    Map<String, List<String>> extra = new TreeMap<>();
    for (String header : exchange.headerNames()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith(EXTRA)) {
        extra.put(unescaped(lower.substring(EXTRA.length())), exchange.headers(header));
      }
    }
    return extra;
  }

  /** Keys hold characters that names of headers may not; what is not escaped is meant as it is. */
  private static String unescaped(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException _) {
      return key;
    }
  }
}
