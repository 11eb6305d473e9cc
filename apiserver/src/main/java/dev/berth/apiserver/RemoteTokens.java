package dev.berth.apiserver;

import dev.berth.access.token.TokenVerifier;
import dev.berth.access.token.WebhookTokens;
import dev.berth.access.token.oidc.JwtIssuer;
import dev.berth.access.token.oidc.OidcTokens;
import dev.berth.client.http.JsonExchange;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Verifies tokens with the help of others, and holds the connections to them. */
final class RemoteTokens implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("apiserver");

  /** How long a request may wait for somebody else. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<TokenVerifier> verifiers = new ArrayList<>();
  private final List<JsonExchange> exchanges = new ArrayList<>();
  private final Time time;
  private final String server;

  RemoteTokens(AccessConfig config, Time time) {
    this.time = time;
    this.server = config.issuer();
    config.authentication().issuers().forEach(this::add);
    config.webhook().ifPresent(this::add);
  }

  /** In the order in which they are asked. */
  List<TokenVerifier> verifiers() {
    return verifiers;
  }

  private void add(JwtIssuer issuer) {
    Trust trust =
        issuer.authorities().isEmpty()
            ? new Trust.Machine(Optional.empty())
            : new Trust.Authorities(issuer.authorities(), Optional.empty());
    JsonExchange exchange =
        exchange(new Connection(URI.create(issuer.url()), trust, new Identity.Anonymous(), ""));
    verifiers.add(
        new OidcTokens(issuer, address -> logged(() -> exchange.get(address)), time, server));
  }

  private void add(AccessConfig.TokenWebhook webhook) {
    JsonExchange exchange = exchange(webhook.connection());
    URI address = webhook.connection().server();
    verifiers.add(
        new WebhookTokens(
            review -> logged(() -> exchange.post(address, review)),
            webhook.cacheTtl(),
            time,
            server));
  }

  private JsonExchange exchange(Connection connection) {
    JsonExchange exchange = new JsonExchange(connection, PATIENCE, time);
    exchanges.add(exchange);
    return exchange;
  }

  /** A call to somebody else. */
  @FunctionalInterface
  private interface RemoteCall<T> {
    T run() throws IOException;
  }

  /** The client is told only that it is not let in; the operator should hear why. */
  private static <T> T logged(RemoteCall<T> call) throws IOException {
    try {
      return call.run();
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("reason", e.getMessage()).log("cannot verify a token");
      throw e;
    }
  }

  @Override
  public void close() {
    exchanges.forEach(JsonExchange::close);
  }
}
