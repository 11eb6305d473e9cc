package dev.berth.access.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Exchange;
import dev.berth.http.websocket.WebSocketHandshake;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.List;

/**
 * A bearer token that comes as a subprotocol of a WebSocket, since a browser can set no other
 * header field of one. There must be another subprotocol: the one with the token is not spoken.
 */
sealed interface WebSocketToken {
  String PREFIX = "base64url.bearer.authorization.k8s.io.";

  record None() implements WebSocketToken {}

  record Sent(String token) implements WebSocketToken {}

  record Malformed(String why) implements WebSocketToken {}

  static WebSocketToken of(Exchange exchange) {
    if (!WebSocketHandshake.isRequested(exchange)) {
      return new None();
    }
    List<String> offered = WebSocketHandshake.offered(exchange);
    List<String> tokens = offered.stream().filter(name -> name.startsWith(PREFIX)).toList();
    if (tokens.isEmpty()) {
      return new None();
    }
    if (tokens.size() > 1) {
      return new Malformed("multiple base64.bearer.authorization tokens specified");
    }
    String encoded = tokens.getFirst().substring(PREFIX.length());
    if (encoded.isEmpty()) {
      return new None();
    }
    if (offered.size() == 1) {
      return new Malformed("missing additional subprotocol");
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(encoded);
      return new Sent(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (IllegalArgumentException _) {
      return new Malformed("invalid base64.bearer.authorization token encoding");
    } catch (CharacterCodingException _) {
      return new Malformed("invalid base64.bearer.authorization token");
    }
  }
}
