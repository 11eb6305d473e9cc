package dev.berth.agent.server;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Upgrades;
import dev.berth.http.spdy.SpdyConnection;
import java.util.Arrays;
import java.util.List;

/** How a request goes on in SPDY, in a protocol that both sides know. */
final class SpdyUpgrade {
  private static final String PROTOCOL_HEADER = "X-Stream-Protocol-Version";
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;

  private SpdyUpgrade() {}

  /**
   * @param protocol empty if the client named none
   */
  record Accepted(String protocol, SpdyConnection connection) {}

  static Accepted accept(Exchange exchange, List<String> supported) throws Refusal {
    if (!exchange.isUpgradable() || !Upgrades.isRequested(exchange, SpdyConnection.PROTOCOL)) {
      throw new Refusal(
          BAD_REQUEST,
          "unable to upgrade: missing upgrade headers in request: %s and WebSocket are supported"
              .formatted(SpdyConnection.PROTOCOL));
    }
    List<String> offered =
        exchange.headers(PROTOCOL_HEADER).stream()
            .flatMap(value -> Arrays.stream(value.split(",", -1)))
            .map(String::strip)
            .filter(value -> !value.isEmpty())
            .toList();
    String chosen = offered.stream().filter(supported::contains).findFirst().orElse("");
    if (chosen.isEmpty() && !offered.isEmpty()) {
      throw new Refusal(
          FORBIDDEN,
          "unable to upgrade: unable to negotiate protocol: client supports %s, server accepts %s"
              .formatted(offered, supported));
    }
    Headers headers = Upgrades.accepted(SpdyConnection.PROTOCOL);
    return new Accepted(
        chosen,
        new SpdyConnection(
            exchange.upgrade(chosen.isEmpty() ? headers : headers.with(PROTOCOL_HEADER, chosen))));
  }
}
