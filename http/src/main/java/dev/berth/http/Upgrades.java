package dev.berth.http;

import java.util.Locale;

/** What header fields say about upgrades. */
public final class Upgrades {
  private Upgrades() {}

  /** Whether a request asks to go on in another protocol. */
  public static boolean isRequested(Exchange exchange) {
    return exchange.headers("Connection").stream()
        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"));
  }

  /** Whether it asks for a protocol, such as {@code websocket}. */
  public static boolean isRequested(Exchange exchange, String protocol) {
    return isRequested(exchange)
        && exchange.headers("Upgrade").stream().anyMatch(protocol::equalsIgnoreCase);
  }

  /** The answer's fields that say which protocol goes on. */
  public static Headers accepted(String protocol) {
    return Headers.of("Connection", "Upgrade").with("Upgrade", protocol);
  }
}
