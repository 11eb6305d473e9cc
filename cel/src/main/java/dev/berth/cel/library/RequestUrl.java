package dev.berth.cel.library;

import dev.berth.cel.value.CelType;
import dev.berth.cel.value.TypedValue;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A URL as a request has it: absolute, or a path that begins with a slash. It is taken apart as
 * Go's {@code net/url} does, which accepts more than {@link java.net.URI}.
 */
record RequestUrl(String text, String scheme, String host, String escapedPath, String rawQuery)
    implements TypedValue {
  static final CelType TYPE = CelType.object("kubernetes.URL");

  /** Fails with Go's reason if it is no URL. */
  static RequestUrl parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("empty url");
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < 0x20 || text.charAt(i) == 0x7f) {
        throw new IllegalArgumentException("net/url: invalid control character in URL");
      }
    }
    String scheme = "";
    int fragment = text.indexOf('#');
    String rest = fragment < 0 ? text : text.substring(0, fragment);
    int colon = rest.indexOf(':');
    if (colon > 0 && rest.substring(0, colon).matches("[a-zA-Z][a-zA-Z0-9+.-]*")) {
      scheme = rest.substring(0, colon).toLowerCase(Locale.ROOT);
      rest = rest.substring(colon + 1);
    } else if (colon == 0) {
      throw new IllegalArgumentException("missing protocol scheme");
    }
    int question = rest.indexOf('?');
    String query = question < 0 ? "" : rest.substring(question + 1);
    if (question >= 0) {
      rest = rest.substring(0, question);
    }
    if (!rest.startsWith("/")) {
      if (!scheme.isEmpty()) {
        // An opaque URL, such as mailto:a@b.
        return new RequestUrl(text, scheme, "", "", query);
      }
      throw new IllegalArgumentException("invalid URI for request");
    }
    String host = "";
    if ((!scheme.isEmpty() || !rest.startsWith("///")) && rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      host = checkedHost(authority.substring(authority.lastIndexOf('@') + 1));
    }
    checkEscapes(rest);
    return new RequestUrl(text, scheme, host, encode(rest), query);
  }

  private static String checkedHost(String host) {
    if (host.startsWith("[")) {
      int end = host.lastIndexOf(']');
      if (end < 0) {
        throw new IllegalArgumentException("missing ']' in host");
      }
      checkPort(host.substring(end + 1));
    } else if (host.lastIndexOf(':') >= 0) {
      checkPort(host.substring(host.lastIndexOf(':')));
    }
    for (int i = 0; i < host.length(); i++) {
      if (" \"<>\\^`{|}".indexOf(host.charAt(i)) >= 0) {
        throw new IllegalArgumentException(
            "invalid character "
                + GoNumbers.quote(String.valueOf(host.charAt(i)))
                + " in host name");
      }
    }
    return host;
  }

  private static void checkPort(String port) {
    if (!port.isEmpty() && !port.matches(":[0-9]*")) {
      throw new IllegalArgumentException("invalid port " + GoNumbers.quote(port) + " after host");
    }
  }

  private static void checkEscapes(String path) {
    for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', i + 1)) {
      String escape = path.substring(i, Math.min(path.length(), i + 3));
      if (!escape.matches("%[0-9a-fA-F]{2}")) {
        throw new IllegalArgumentException("invalid URL escape " + GoNumbers.quote(escape));
      }
    }
  }

  /** Escapes what a path must not hold as it is. */
  private static String encode(String path) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          c < 0x80 && (Character.isLetterOrDigit(c) || "-_.~$&+,/:;=@%!'()*[]".indexOf(c) >= 0);
      encoded.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return encoded.toString();
  }

  String hostname() {
    if (host.startsWith("[")) {
      return host.substring(1, host.indexOf(']'));
    }
    int colon = host.lastIndexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  String port() {
    int bracket = host.lastIndexOf(']');
    int colon = host.lastIndexOf(':');
    return colon <= bracket ? "" : host.substring(colon + 1);
  }

  Map<Object, Object> query() {
    Map<String, List<Object>> values = new LinkedHashMap<>();
    for (String pair : rawQuery.split("&", -1)) {
      if (pair.isEmpty() || pair.indexOf(';') >= 0) {
        continue;
      }
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      try {
        values
            .computeIfAbsent(URLDecoder.decode(key, StandardCharsets.UTF_8), _ -> new ArrayList<>())
            .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
      } catch (IllegalArgumentException _) {
        // A pair that is escaped wrongly is left out, as Go does.
      }
    }
    return new LinkedHashMap<>(values);
  }

  @Override
  public CelType celType() {
    return TYPE;
  }
}
