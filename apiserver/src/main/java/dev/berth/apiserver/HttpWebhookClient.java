package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.http.JsonExchange;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.http.outgoing.TlsFailure;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.pki.Pem;
import dev.berth.registry.Registry;
import dev.berth.registry.webhook.WebhookAddress;
import dev.berth.registry.webhook.WebhookClient;
import dev.berth.registry.webhook.WebhookException;
import dev.berth.serving.connect.ServiceResolver;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;

/**
 * Calls webhooks over HTTPS. Connections are kept and shared by all webhooks with the same name and
 * authorities; nothing is made before the first call.
 */
final class HttpWebhookClient implements WebhookClient, AutoCloseable {
  private static final int MOST_EXCHANGES = 30;
  private static final int FIRST_FAILURE = 300;

  private final ServiceResolver services;
  private final Time time;
  private final Map<String, Kubeconfig> identities;
  private final ReentrantLock lock = new ReentrantLock();

  /** By whom they trust, the one used longest ago first. */
  private final Map<Trusted, JsonExchange> exchanges = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param serverName the name that a certificate must have; empty for that of the address
   * @param plugin on whose behalf the webhook is called; empty for none
   * @param target who is called, as users of a kubeconfig are named after it
   */
  private record Trusted(String caBundle, String serverName, String plugin, String target) {}

  /**
   * @param kubeconfigs say how to prove who we are, by the plugins that call
   */
  HttpWebhookClient(Registry registry, Map<String, Path> kubeconfigs) {
    this.services = new ServiceResolver(registry);
    this.time = registry.time();
    Map<String, Kubeconfig> read = new HashMap<>();
    kubeconfigs.forEach((plugin, file) -> read.put(plugin, Kubeconfig.read(file)));
    this.identities = Map.copyOf(read);
  }

  @Override
  public WebhookClient as(String plugin) {
    return identities.containsKey(plugin)
        ? (webhook, review, within) -> call(webhook, review, within, plugin)
        : this;
  }

  @Override
  public JsonObject call(WebhookAddress webhook, JsonObject review, Duration within)
      throws WebhookException {
    return call(webhook, review, within, "");
  }

  private JsonObject call(WebhookAddress webhook, JsonObject review, Duration within, String plugin)
      throws WebhookException {
    String shown = withTimeout(webhook.shownUrl(), within);
    JsonExchange.Answer answer;
    try {
      answer = exchange(webhook, plugin).exchange(dialled(webhook, shown), review, within);
    } catch (IOException e) {
      throw new WebhookException("Post \"%s\": %s".formatted(shown, reason(webhook, e)));
    } catch (IllegalArgumentException e) {
      throw new WebhookException("Post \"%s\": %s".formatted(shown, e.getMessage()));
    }
    if (answer.status() >= FIRST_FAILURE) {
      throw new WebhookException(refusal(answer), answer.status());
    }
    try {
      return JsonReader.object(answer.body(), JsonLimits.REQUEST);
    } catch (JsonException e) {
      throw new WebhookException("couldn't parse the answer as JSON: " + e.getMessage());
    }
  }

  /** Webhooks are told how long somebody waits for them. */
  private static String withTimeout(String url, Duration within) {
    return url + (url.contains("?") ? "&" : "?") + "timeout=" + within.toSeconds() + "s";
  }

  private URI dialled(WebhookAddress webhook, String url) throws IOException {
    if (!webhook.isService()) {
      return URI.create(url);
    }
    ServiceResolver.Endpoint endpoint = services.resolve(webhook.service(), webhook.port());
    String host = endpoint.host().contains(":") ? "[" + endpoint.host() + "]" : endpoint.host();
    String behind = url.substring("https://".length());
    int path = behind.indexOf('/') < 0 ? behind.indexOf('?') : behind.indexOf('/');
    String rest = behind.substring(path);
    return URI.create(
        "https://%s:%d%s"
            .formatted(host, endpoint.port(), rest.startsWith("?") ? "/" + rest : rest));
  }

  private JsonExchange exchange(WebhookAddress webhook, String plugin) throws IOException {
    Trusted trusted =
        new Trusted(
            webhook.caBundle(),
            webhook.isService() ? webhook.serverName() : "",
            plugin,
            plugin.isEmpty() ? "" : target(webhook));
    lock.lock();
    try {
      JsonExchange known = exchanges.get(trusted);
      if (known != null) {
        return known;
      }
      JsonExchange made = new JsonExchange(connection(trusted), Duration.ofSeconds(30), time);
      exchanges.put(trusted, made);
      if (exchanges.size() > MOST_EXCHANGES) {
        var oldest = exchanges.entrySet().iterator();
        oldest.next().getValue().close();
        oldest.remove();
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  private static String target(WebhookAddress webhook) {
    return webhook.isService()
        ? webhook.serverName() + ":" + webhook.port()
        : URI.create(webhook.url()).getAuthority();
  }

  private Connection connection(Trusted trusted) throws IOException {
    Optional<String> name =
        trusted.serverName.isEmpty() ? Optional.empty() : Optional.of(trusted.serverName);
    Trust trust =
        trusted.caBundle.isEmpty()
            ? new Trust.Machine(name)
            : new Trust.Authorities(authorities(trusted.caBundle), name);
    Kubeconfig own = identities.get(trusted.plugin);
    Identity identity = own == null ? new Identity.Anonymous() : own.identityFor(trusted.target);
    return new Connection(URI.create("https://webhook"), trust, identity, "");
  }

  private static List<X509Certificate> authorities(String caBundle) throws IOException {
    try {
      return Pem.certificates(new String(Base64.getDecoder().decode(caBundle), UTF_8));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw new IOException(
          "unable to load root certificates: the caBundle holds no certificates in PEM", e);
    }
  }

  /** Why there was no answer, in the words of Go's client where it is one of the usual reasons. */
  private static String reason(WebhookAddress webhook, IOException e) {
    return switch (e) {
      case SocketTimeoutException _ -> "context deadline exceeded";
      case ConnectException _ -> "dial tcp: connect: connection refused";
      case SSLException refused ->
          TlsFailure.of(
              refused,
              webhook.isService() ? webhook.serverName() : URI.create(webhook.url()).getHost());
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }

  private static String refusal(JsonExchange.Answer answer) {
    String body = new String(answer.body(), UTF_8).strip();
    String shown = body.substring(0, Math.min(body.length(), 2048));
    return switch (answer.status()) {
      case 404 -> "the server could not find the requested resource";
      case 503 -> "the server is currently unable to handle the request";
      default ->
          answer.status() >= 500
              ? "an error on the server (%s) has prevented the request from succeeding"
                  .formatted("\"" + (shown.isEmpty() ? "unknown" : shown) + "\"")
              : "the server rejected our request for an unknown reason (%d)"
                  .formatted(answer.status());
    };
  }

  @Override
  public void close() {
    lock.lock();
    try {
      exchanges.values().forEach(JsonExchange::close);
      exchanges.clear();
    } finally {
      lock.unlock();
    }
  }
}
