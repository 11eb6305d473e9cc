package dev.berth.agent.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an HTTP server is asked for. Lenient with what users and servers write, as Kubernetes is: a
 * path may hold what no URL can.
 *
 * @param scheme in small letters
 * @param host a name or an address, without brackets
 * @param target path and query, encoded
 */
public record HttpAddress(String scheme, String host, int port, String target) {
  private static final Pattern ABSOLUTE = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(.*)");
  private static final Pattern WITH_HOST =
      Pattern.compile("//(?:[^/?#]*@)?(\\[[^\\]/?#]*\\]|[^:/?#]*)(?::(\\d{0,5}))?([/?#].*|)");
  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

  /** What may stand in paths and queries as it is, besides letters and digits. */
  private static final String PLAIN = "-._~!$&'()*+,;=:@/";

  /** The address of a path at a server; the path may have a query. */
  static HttpAddress of(String scheme, String host, int port, String path) {
    Matcher withHost = WITH_HOST.matcher(path);
    String own = withHost.matches() ? withHost.group(3) : path;
    return new HttpAddress(scheme.toLowerCase(Locale.ROOT), host, port, target(own));
  }

  private static String target(String path) {
    boolean isUrl = !BROKEN_ESCAPE.matcher(path).find();
    String encoded = isUrl ? encoded(beforeFragment(path), PLAIN + "%?") : encoded(path, PLAIN);
    return encoded.startsWith("/") ? encoded : "/" + encoded;
  }

  private static String beforeFragment(String path) {
    int fragment = path.indexOf('#');
    return fragment < 0 ? path : path.substring(0, fragment);
  }

  private static String encoded(String text, String plain) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(UTF_8)) {
      boolean isPlain =
          (b >= '0' && b <= '9')
              || (b >= 'a' && b <= 'z')
              || (b >= 'A' && b <= 'Z')
              || plain.indexOf(b) >= 0;
      if (isPlain) {
        encoded.append((char) b);
      } else {
        encoded.append("%%%02X".formatted(b & 0xff));
      }
    }
    return encoded.toString();
  }

  /** Where a server sends its clients; empty if that is no address. */
  Optional<HttpAddress> resolve(String location) {
    Matcher absolute = ABSOLUTE.matcher(location);
    boolean isAbsolute = absolute.matches();
    String itsScheme = isAbsolute ? absolute.group(1).toLowerCase(Locale.ROOT) : scheme;
    String rest = isAbsolute ? absolute.group(2) : location;
    Matcher withHost = WITH_HOST.matcher(rest);
    if (withHost.matches()) {
      String itsHost = withHost.group(1).replaceAll("[\\[\\]]", "");
      OptionalInt itsPort = port(itsScheme, withHost.group(2));
      return itsHost.isEmpty() || itsPort.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new HttpAddress(itsScheme, itsHost, itsPort.getAsInt(), target(withHost.group(3))));
    }
    return isAbsolute ? Optional.empty() : Optional.of(at(relative(rest)));
  }

  /** Whether a location says all of where it is, so that nothing of this address is in it. */
  static boolean isAbsolute(String location) {
    return ABSOLUTE.matcher(location).matches();
  }

  private static OptionalInt port(String scheme, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      return OptionalInt.of(scheme.equals("https") ? 443 : 80);
    }
    int port = Integer.parseInt(text);
    return port > 0 && port < 65536 ? OptionalInt.of(port) : OptionalInt.empty();
  }

  private String relative(String reference) {
    String encoded = encoded(beforeFragment(reference), PLAIN + "%?");
    if (encoded.isEmpty()) {
      return target;
    }
    if (encoded.startsWith("?")) {
      return target.split("\\?", 2)[0] + encoded;
    }
    try {
      // A host, so that a path which begins with two slashes is not taken for one.
      URI resolved = new URI("http://host" + target).resolve(encoded);
      String query = resolved.getRawQuery();
      return resolved.getRawPath() + (query == null ? "" : "?" + query);
    } catch (URISyntaxException | IllegalArgumentException e) {
      return target(reference);
    }
  }

  private HttpAddress at(String otherTarget) {
    return new HttpAddress(scheme, host, port, otherTarget);
  }

  HttpAddress withoutTls() {
    return new HttpAddress("http", host, port, target);
  }

  /** Host and port, as URLs name them. */
  public String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  @Override
  public String toString() {
    return scheme + "://" + authority() + target;
  }
}
