package dev.berth.client.http;

import static java.util.stream.Collectors.joining;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.UserAgent;
import dev.berth.client.WatchRequest;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLHandshakeException;

/**
 * The API over HTTPS, with HTTP/2 where the server has it, and JSON.
 *
 * <p>Threads: requests block the thread that makes them; each watch has a virtual thread that reads
 * it. Watches have connections of their own ({@link Connections}), so that however many are open,
 * and however slowly they are read, requests are not held up.
 *
 * <p>Of several servers one is asked, chosen by chance, until it does not answer. What cannot have
 * reached it, or changes nothing, is then sent to the next at once; whether a change was made that
 * was sent and not answered only its sender can find out. Watches of a server that cannot be
 * reached end, and are resumed with the next.
 */
public final class HttpApi implements Api, AutoCloseable {
  private static final String JSON = "application/json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /**
   * How long one of several servers may take for one object. A node's lease must reach another
   * server before the node is taken for lost.
   */
  private static final Duration TIMEOUT_OF_ONE = Duration.ofSeconds(10);

  private static final int UNAVAILABLE = 503;

  private static final int SHORTEST_WATCH = 300;
  private static final int LONGEST_WATCH = 600;

  /** Fewer than the streams that servers allow on a connection; who comes later waits. */
  private static final int AT_ONCE = 100;

  private final Connection connection;
  private final Time time;
  private final String agent;
  private final Servers servers;
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
    this.connections = new Connections(TlsClient.context(connection));
    this.timers = time.start("http-timers");
    this.random = time.random("http");
    this.servers = new Servers(connection.servers(), random.nextInt(connection.servers().size()));
  }

  @Override
  public ApiResult send(ApiRequest request) {
    try {
      Duration timeout = servers.count() == 1 ? TIMEOUT : TIMEOUT_OF_ONE;
      return Answers.object(
          exchange(server -> message(server, request), timeout, request.isRead()));
    } catch (IOException | ConnectionException e) {
      return unreachable(e);
    }
  }

  @Override
  public ListResult list(ListRequest request) {
    try {
      String accept = request.onlyMetadata() ? PartialMetadata.LIST : JSON;
      HttpResponse<byte[]> answer =
          exchange(
              server ->
                  message(server.of(request))
                      .header("Accept-Encoding", "gzip")
                      .setHeader("Accept", accept),
              TIMEOUT,
              true);
      return request.onlyMetadata() ? PartialMetadata.list(answer) : Answers.list(answer);
    } catch (IOException | ConnectionException e) {
      return unreachable(e);
    }
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    return HttpWatch.open(this, request, onReady);
  }

  private HttpRequest.Builder message(Addresses server, ApiRequest request) {
    return switch (request) {
      case ApiRequest.Get get -> {
        Addresses.Query query = new Addresses.Query();
        get.parameters().forEach(query::add);
        yield message(server.of(get.target(), query.toString()));
      }
      case ApiRequest.Create create ->
          message(server.of(create.target(), ""))
              .POST(json(create.object()))
              .header("Content-Type", JSON);
      case ApiRequest.Update update ->
          message(server.of(update.target(), ""))
              .PUT(json(update.object()))
              .header("Content-Type", JSON);
      case ApiRequest.Patch patch ->
          message(server.of(patch.target(), ""))
              .method("PATCH", json(patch.patch()))
              .header("Content-Type", patch.type().mediaType());
      case ApiRequest.Apply apply -> {
        Addresses.Query query = new Addresses.Query();
        query.add("fieldManager", apply.fieldManager());
        query.add("force", apply.force() ? "true" : "");
        yield message(server.of(apply.target(), query.toString()))
            .method("PATCH", json(apply.configuration()))
            .header("Content-Type", APPLY);
      }
      case ApiRequest.Delete delete -> deletion(server.of(delete.target(), ""), delete.options());
      case ApiRequest.DeleteAll all -> deletion(server.of(all.target(), ""), all.options());
      case ApiRequest.Discover discover -> message(server.of(discover.path()));
      case ApiRequest.ByLeader(ApiRequest write, LeaderTerm term) ->
          message(server, write).header(LeaderTerm.HEADER, term.header());
    };
  }

  private HttpRequest.Builder deletion(URI address, DeleteOptions asked) {
    JsonObject options = asked.toTree();
    HttpRequest.Builder message = message(address);
    return options.isEmpty()
        ? message.DELETE()
        : message.method("DELETE", json(options)).header("Content-Type", JSON);
  }

  private static BodyPublisher json(Object tree) {
    return BodyPublishers.ofByteArray(JsonWriter.toBytes(tree));
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
      return exchange(server -> message(server.of(path)), timeout, true);
    } catch (IOException | ConnectionException e) {
      throw new IOException(unreachable(e).message(), e);
    }
  }

  /**
   * Sends a message to the server that is asked now, and then to the others if that does no harm.
   *
   * @param mayRepeat whether it may be sent again if it may have reached a server
   */
  private HttpResponse<byte[]> exchange(
      Function<Addresses, HttpRequest.Builder> message, Duration timeout, boolean mayRepeat)
      throws IOException {
    for (int others = servers.count() - 1; ; others--) {
      Addresses server = servers.current();
      try {
        HttpResponse<byte[]> answer = exchange(message.apply(server), timeout);
        answered(server, answer.statusCode());
        return answer;
      } catch (IOException e) {
        leave(server, e);
        if (others == 0 || !(mayRepeat || isUnsent(e))) {
          throw e;
        }
      }
    }
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

  /** Whether no server can have seen the request. */
  private static boolean isUnsent(IOException e) {
    return e instanceof ConnectException
        || e instanceof HttpConnectTimeoutException
        || e instanceof SSLHandshakeException;
  }

  /** Asks another server from now on, if this one says that it cannot answer just now. */
  void answered(Addresses server, int status) {
    if (status == UNAVAILABLE) {
      var _ = servers.leave(server);
    }
  }

  /** Asks another server from now on. */
  void leave(Addresses server, IOException why) {
    boolean isSilent = isUnsent(why) || why instanceof SocketTimeoutException;
    if (servers.leave(server) && isSilent) {
      connections.abandonWatches();
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
        servers.count() == 1
            ? "The server %s does not answer: %s.".formatted(connection.server(), why)
            : "A server of %s does not answer: %s."
                .formatted(
                    connection.servers().stream().map(URI::toString).collect(joining(", ")), why));
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

  /** The server that is asked now. */
  Addresses server() {
    return servers.current();
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
