package dev.berth.http.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Upgrades;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** How a request becomes a {@link WebSocket}. */
public final class WebSocketHandshake {
  private static final String PROTOCOL = "websocket";
  private static final String SUBPROTOCOL = "Sec-WebSocket-Protocol";
  private static final String KEY = "Sec-WebSocket-Key";

  /** What the protocol appends to the client's key. */
  private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final String VERSION = "13";

  private WebSocketHandshake() {}

  public static boolean isRequested(Exchange exchange) {
    return Upgrades.isRequested(exchange, PROTOCOL);
  }

  /** The subprotocols that the client offers, the one that it likes best first. */
  public static List<String> offered(Exchange exchange) {
    return exchange.headers(SUBPROTOCOL).stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  /** What is wrong with a request for a WebSocket, if anything. */
  public static Optional<String> problem(Exchange exchange) {
    if (!exchange.isUpgradable() || !exchange.method().equals("GET")) {
      return Optional.of("a WebSocket begins with GET over HTTP/1.1");
    }
    if (exchange.header(KEY).isEmpty()) {
      return Optional.of(KEY + " is missing");
    }
    return exchange.header("Sec-WebSocket-Version").filter(VERSION::equals).isPresent()
        ? Optional.empty()
        : Optional.of("only version 13 of WebSocket is supported");
  }

  /**
   * Answers a request without a {@linkplain #problem problem}.
   *
   * @param subprotocol the one to speak; empty for none
   */
  public static WebSocket accept(Exchange exchange, String subprotocol) {
    Headers headers =
        Upgrades.accepted(PROTOCOL)
            .with("Sec-WebSocket-Accept", answer(exchange.header(KEY).orElseThrow()));
    return new WebSocket(
        exchange.upgrade(subprotocol.isEmpty() ? headers : headers.with(SUBPROTOCOL, subprotocol)));
  }

  static String answer(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1").digest((key.strip() + KEY_SUFFIX).getBytes(US_ASCII));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-1.", e);
    }
  }
}
