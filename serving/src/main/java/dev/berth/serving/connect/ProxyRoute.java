package dev.berth.serving.connect;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.outgoing.Destination;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a proxied request goes.
 *
 * @param prefix the part of the request's path that is not the other server's, as it was sent: up
 *     to {@code /proxy}
 * @param target path and query for the other server
 */
public record ProxyRoute(Destination destination, String prefix, String target) {

  /** What the client asked for, without the query. */
  String forwardedUri() {
    int question = target.indexOf('?');
    return prefix + (question < 0 ? target : target.substring(0, question));
  }

  /** A redirection to the other server itself leads through the proxy again. */
  Headers rewritten(Headers answer, Exchange exchange) {
    if (!answer.has("Location")) {
      return answer;
    }
    List<Headers.Field> fields = new ArrayList<>();
    for (Headers.Field field : answer.fields()) {
      fields.add(
          field.name().equalsIgnoreCase("Location")
              ? new Headers.Field("Location", through(field.value(), exchange))
              : field);
    }
    return new Headers(fields);
  }

  /**
   * A URL that the other server gave, so that it leads through the proxy if it is of that server.
   */
  String through(String value, Exchange exchange) {
    URI uri;
    try {
      uri = new URI(value);
    } catch (URISyntaxException _) {
      return value;
    }
    String authority = uri.getRawAuthority();
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    boolean elsewhere =
        authority != null
            && !authority.equals(destination.authority())
            && !authority.equals(exchange.header("Host").orElse(""));
    if (elsewhere || !path.startsWith("/") || path.startsWith(prefix)) {
      return value;
    }
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String fragment = uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment();
    return prefix + path + query + fragment;
  }
}
