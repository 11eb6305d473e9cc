package dev.berth.serving.aggregation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.outgoing.Destination;
import dev.berth.model.user.User;
import dev.berth.serving.connect.Forwarder;
import dev.berth.serving.connect.ProxyRoute;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Passes requests on to the servers that answer for them. Who the user is, which was found out
 * here, is said in header fields, which the other server believes because of our certificate.
 */
public final class AggregationProxy {
  private static final int UNAVAILABLE = 503;
  private static final byte[] UNAVAILABLE_TEXT = "service unavailable\n".getBytes(UTF_8);

  private final RemoteApiConnector connector;

  public AggregationProxy(RemoteApiConnector connector) {
    this.connector = connector;
  }

  /**
   * Passes a request on.
   *
   * @param patience how long the other server may take to begin its answer; zero for as long as it
   *     likes
   */
  public void forward(Exchange exchange, User user, RemoteApi api, Duration patience) {
    if (!api.isAvailable()) {
      exchange.respond(unavailable());
      return;
    }
    Destination destination;
    try {
      destination = connector.destination(api);
    } catch (IOException _) {
      exchange.respond(unavailable());
      return;
    }
    String query = exchange.query().map(raw -> "?" + raw).orElse("");
    Forwarder.proxyAs(
        exchange,
        new ProxyRoute(destination, "", exchange.path() + query),
        identity(user),
        patience);
  }

  private static Response unavailable() {
    return new Response(
        UNAVAILABLE,
        Headers.of("Content-Type", "text/plain; charset=utf-8")
            .with("X-Content-Type-Options", "nosniff"),
        List.of(UNAVAILABLE_TEXT));
  }

  /** The header fields that say who a user is. */
  public static Headers identity(User user) {
    Headers headers = Headers.of("X-Remote-User", user.name());
    if (!user.uid().isEmpty()) {
      headers = headers.with("X-Remote-Uid", user.uid());
    }
    headers = headers.with("X-Remote-Group", user.groups());
    for (var extra : user.extra().entrySet()) {
      headers = headers.with("X-Remote-Extra-" + encoded(extra.getKey()), extra.getValue());
    }
    return headers;
  }

  /** Keys may hold what names of header fields may not. */
  private static String encoded(String key) {
    return URLEncoder.encode(key.toLowerCase(Locale.ROOT), UTF_8).replace("+", "%20");
  }
}
