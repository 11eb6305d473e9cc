package dev.berth.serving.connect;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.outgoing.Destination;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Which header fields are passed on, and which are for one connection only. */
final class ForwardedHeaders {
  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String SUBPROTOCOL = "Sec-WebSocket-Protocol";

  /** How browsers send a token, which is for this server alone. */
  static final String TOKEN_PROTOCOL = "base64url.bearer.authorization.k8s.io.";

  private static final Set<String> OF_A_CONNECTION =
      caseless(
          "Connection",
          "Keep-Alive",
          "Proxy-Authenticate",
          "Proxy-Authorization",
          "Proxy-Connection",
          "TE",
          "Trailer",
          "Transfer-Encoding",
          "Upgrade",
          "Content-Length");

  /** What proves who the client is has been used up here. */
  private static final Set<String> FOR_THIS_SERVER = caseless("Authorization", FORWARDED_FOR);

  private static final Set<String> CROSS_ORIGIN =
      caseless(
          "Access-Control-Allow-Credentials",
          "Access-Control-Allow-Headers",
          "Access-Control-Allow-Methods",
          "Access-Control-Allow-Origin");

  private ForwardedHeaders() {}

  private static Set<String> caseless(String... names) {
    Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(List.of(names));
    return set;
  }

  /** The fields of a client's request, for another server. */
  static Headers ofRequest(Exchange exchange, Destination destination, boolean isUpgrade) {
    Set<String> dropped = caseless();
    dropped.addAll(OF_A_CONNECTION);
    dropped.addAll(FOR_THIS_SERVER);
    for (String value : exchange.headers("Connection")) {
      Arrays.stream(value.split(",", -1)).map(String::strip).forEach(dropped::add);
    }
    Headers headers = Headers.NONE;
    for (String name : exchange.headerNames()) {
      boolean impersonates = name.toLowerCase(Locale.ROOT).startsWith("impersonate-");
      if (name.startsWith(":") || impersonates || dropped.contains(name)) {
        continue;
      }
      List<String> values = exchange.headers(name);
      headers = headers.with(name, name.equalsIgnoreCase(SUBPROTOCOL) ? tokenless(values) : values);
    }
    if (!headers.has("Host")) {
      headers = headers.with("Host", destination.authority());
    }
    if (isUpgrade) {
      headers = headers.with("Connection", "Upgrade").with("Upgrade", exchange.headers("Upgrade"));
    }
    return headers.with(FORWARDED_FOR, forwardedFor(exchange));
  }

  /** The fields with those that say who the client is, instead of any that it sent itself. */
  static Headers identified(Headers headers, Headers identity) {
    if (identity.fields().isEmpty()) {
      return headers;
    }
    List<Headers.Field> fields = new ArrayList<>();
    headers.fields().stream()
        .filter(field -> !field.name().toLowerCase(Locale.ROOT).startsWith("x-remote-"))
        .forEach(fields::add);
    fields.addAll(identity.fields());
    return new Headers(fields);
  }

  private static List<String> tokenless(List<String> values) {
    return values.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(value -> !value.startsWith(TOKEN_PROTOCOL))
        .toList();
  }

  private static String forwardedFor(Exchange exchange) {
    String client =
        exchange.remoteAddress() instanceof InetSocketAddress from
            ? from.isUnresolved() ? from.getHostString() : from.getAddress().getHostAddress()
            : "unknown";
    List<String> before = exchange.headers(FORWARDED_FOR);
    return before.isEmpty() ? client : String.join(", ", before) + ", " + client;
  }

  /** The fields of another server's answer, for the client. */
  static Headers ofAnswer(Headers answer) {
    Set<String> dropped = caseless();
    dropped.addAll(OF_A_CONNECTION);
    dropped.addAll(CROSS_ORIGIN);
    return new Headers(
        answer.fields().stream().filter(field -> !dropped.contains(field.name())).toList());
  }
}
