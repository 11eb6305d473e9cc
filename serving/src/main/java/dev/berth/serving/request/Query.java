package dev.berth.serving.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.registry.status.Failures;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The query parameters of a request. Of one that occurs twice, the first counts. */
public final class Query {
  public static final Query NONE = new Query("");

  private final Map<String, String> values = new HashMap<>();
  private final String raw;

  Query(String raw) {
    this.raw = raw;
    for (String part : raw.split("&", -1)) {
      if (!part.isEmpty()) {
        int equals = part.indexOf('=');
        String name = decoded(equals < 0 ? part : part.substring(0, equals));
        values.putIfAbsent(name, equals < 0 ? "" : decoded(part.substring(equals + 1)));
      }
    }
  }

  public static Query of(Optional<String> raw) {
    return raw.isEmpty() ? NONE : new Query(raw.get());
  }

  /** The same parameters and one more, unless its value is empty. */
  public Query with(String name, String value) {
    if (value.isEmpty()) {
      return this;
    }
    String part = name + "=" + URLEncoder.encode(value, UTF_8);
    return new Query(raw.isEmpty() ? part : raw + "&" + part);
  }

  /** What followed the question mark, if anything. */
  public Optional<String> raw() {
    return raw.isEmpty() ? Optional.empty() : Optional.of(raw);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw Failures.badRequest("the query holds a malformed escape: " + text);
    }
  }

  /** The value of a parameter; empty if it is not there. */
  public String text(String name) {
    return values.getOrDefault(name, "");
  }

  /** All values of a parameter that may occur more than once. */
  public Set<String> texts(String name) {
    return new LinkedHashSet<>(allTexts(name));
  }

  /** All values of a parameter in their order, also those that occur twice. */
  public List<String> allTexts(String name) {
    List<String> all = new ArrayList<>();
    if (!values.containsKey(name)) {
      return all;
    }
    for (String part : raw.split("&", -1)) {
      if (part.startsWith(name + "=")) {
        all.add(decoded(part.substring(name.length() + 1)));
      }
    }
    return all;
  }

  /** Whether a parameter says yes; it also does when it has no value. */
  public boolean flag(String name) {
    String value = values.get(name);
    return value != null && !value.equals("false") && !value.equals("0");
  }

  public boolean has(String name) {
    return !text(name).isEmpty();
  }

  public OptionalLong integer(String name) {
    String text = text(name);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw Failures.badRequest("strconv.ParseInt: parsing \"%s\": invalid syntax".formatted(text));
    }
  }
}
