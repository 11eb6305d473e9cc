package dev.berth.client.http;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Target;
import dev.berth.client.UserAgent;
import dev.berth.client.WatchRequest;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;

/**
 * The API over HTTPS, with HTTP/2 where the server has it, and JSON.
 *
 * <p>Threads: requests block the thread that makes them; each watch has a virtual thread that reads
 * it. Watches have connections of their own ({@link Connections}), so that however many are open,
 * and however slowly they are read, requests are not held up.
 */
public final class HttpApi implements Api, AutoCloseable {
  private static final String JSON = "application/json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final int SHORTEST_WATCH = 300;
  private static final int LONGEST_WATCH = 600;

  /** Fewer than the streams that servers allow on a connection; who comes later waits. */
  private static final int AT_ONCE = 100;

  private final Connection connection;
  private final Time time;
  private final String agent;
  private final Addresses addresses;
  private final Connections connections;
  private final Semaphore free = new Semaphore(AT_ONCE);
  private final Loop timers;
  private final RandomGenerator random;

  /**
   * @param component who asks, such as {@code scheduler}
   * @throws ConnectionException if its keys cannot be used
   */
  public HttpApi(Connection connection, Time time, String component) {
    this.connection = connection;
    this.time = time;
    this.agent = UserAgent.of(component);
    this.addresses = new Addresses(connection.server());
    this.connections = new Connections(TlsClient.context(connection));
    this.timers = time.start("http-timers");
    this.random = time.random("http");
  }

  @Override
  public ApiResult send(ApiRequest request) {
    try {
      return Answers.object(exchange(message(request)));
    } catch (IOException | ConnectionException e) {
      return unreachable(e);
    }
  }

  @Override
  public ListResult list(ListRequest request) {
    try {
      HttpRequest.Builder message =
          message(addresses.of(request)).header("Accept-Encoding", "gzip");
      return request.onlyMetadata()
          ? PartialMetadata.list(exchange(message.setHeader("Accept", PartialMetadata.LIST)))
          : Answers.list(exchange(message));
    } catch (IOException | ConnectionException e) {
      return unreachable(e);
    }
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    return HttpWatch.open(this, request, onReady);
  }

  private HttpRequest.Builder message(ApiRequest request) {
    return switch (request) {
      case ApiRequest.Get get -> {
        Addresses.Query query = new Addresses.Query();
        get.parameters().forEach(query::add);
        yield message(addresses.of(get.target(), query.toString()));
      }
      case ApiRequest.Create create ->
          message(create.target(), "").POST(json(create.object())).header("Content-Type", JSON);
      case ApiRequest.Update update ->
          message(update.target(), "").PUT(json(update.object())).header("Content-Type", JSON);
      case ApiRequest.Patch patch ->
          message(patch.target(), "")
              .method("PATCH", json(patch.patch()))
              .header("Content-Type", patch.type().mediaType());
      case ApiRequest.Apply apply -> {
        Addresses.Query query = new Addresses.Query();
        query.add("fieldManager", apply.fieldManager());
        query.add("force", apply.force() ? "true" : "");
        yield message(apply.target(), query.toString())
            .method("PATCH", json(apply.configuration()))
            .header("Content-Type", APPLY);
      }
      case ApiRequest.Delete delete -> deletion(delete.target(), delete.options());
      case ApiRequest.DeleteAll all -> deletion(all.target(), all.options());
      case ApiRequest.Discover discover -> message(addresses.of(discover.path()));
    };
  }

  private HttpRequest.Builder deletion(Target target, DeleteOptions asked) {
    JsonObject options = asked.toTree();
    HttpRequest.Builder message = message(target, "");
    return options.isEmpty()
        ? message.DELETE()
        : message.method("DELETE", json(options)).header("Content-Type", JSON);
  }

  private static BodyPublisher json(Object tree) {
    return BodyPublishers.ofByteArray(JsonWriter.toBytes(tree));
  }

  private HttpRequest.Builder message(Target target, String query) {
    return message(addresses.of(target, query));
  }

  /** A message to an address, by whoever we are. */
  HttpRequest.Builder message(URI address) {
    HttpRequest.Builder message =
        HttpRequest.newBuilder(address).header("User-Agent", agent).header("Accept", JSON);
    Authorization.addTo(message, connection.identity(), time);
    return message;
  }

  /**
   * Reads a document of the server's own that is no object, such as {@code /readyz?verbose}.
   *
   * @param path begins with a slash
   * @param timeout how long the server may take
   * @throws IOException with a sentence for the operator, if there was no answer
   */
  public HttpResponse<byte[]> page(String path, Duration timeout) throws IOException {
    try {
      return exchange(message(addresses.of(path)), timeout);
    } catch (IOException | ConnectionException e) {
      throw new IOException(unreachable(e).message(), e);
    }
  }

  private HttpResponse<byte[]> exchange(HttpRequest.Builder message) throws IOException {
    return exchange(message, TIMEOUT);
  }

  private HttpResponse<byte[]> exchange(HttpRequest.Builder message, Duration timeout)
      throws IOException {
    try {
      free.acquire();
      try {
        return connections.requests().send(message.build(), BodyHandlers.ofByteArray(), timeout);
      } finally {
        free.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the request was interrupted", e);
    }
  }

  ApiResult.Failure unreachable(Exception e) {
    if (e instanceof ConnectionException) {
      return new ApiResult.Unreachable(String.valueOf(e.getMessage()));
    }
    String words = e.getMessage() == null ? "" : e.getMessage();
    String why =
        e instanceof ConnectException && words.isBlank()
            ? isUnknown(e) ? "its name cannot be resolved" : "nobody listens there"
            : words.isBlank() ? e.getClass().getSimpleName() : words;
    return new ApiResult.Unreachable(
        "The server %s does not answer: %s.".formatted(connection.server(), why));
  }

  /** Whether a name could not be found; the client says so in a cause of a cause. */
  private static boolean isUnknown(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof UnresolvedAddressException || each instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  Addresses addresses() {
    return addresses;
  }

  Connections connections() {
    return connections;
  }

  Loop timers() {
    return timers;
  }

  /** How long a watch may last: as client-go's, so that not all watches end together. */
  Duration watchTimeout() {
    synchronized (random) {
      return Duration.ofSeconds(random.nextInt(SHORTEST_WATCH, LONGEST_WATCH));
    }
  }

  /** Ends all watches and what else is under way. */
  @Override
  public void close() {
    timers.close();
    connections.close();
  }
}
