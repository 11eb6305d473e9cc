package dev.berth.client.http;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/**
 * The connections to one server. Java's client has one HTTP/2 connection to each server, and fails
 * when it needs more streams there than the server allows. So requests have a client of their own,
 * and watches one for each hundred.
 */
final class Connections implements AutoCloseable {
  private static final int WATCHES = 100;
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final SSLContext tls;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient requests;
  private final List<Shared> watches = new ArrayList<>();
  private boolean closed;

  /** A client, and how many use it. */
  static final class Shared {
    private final HttpClient client;
    private int users;

    Shared(HttpClient client) {
      this.client = client;
    }

    HttpClient client() {
      return client;
    }
  }

  Connections(SSLContext tls) {
    this.tls = tls;
    this.requests = client();
  }

  private HttpClient client() {
    return HttpClient.newBuilder()
        .sslContext(tls)
        .executor(threads)
        .connectTimeout(CONNECT)
        .followRedirects(HttpClient.Redirect.NEVER)
        .build();
  }

  HttpClient requests() {
    return requests;
  }

  /** A client for one more watch, which gives it back. */
  synchronized Shared take() {
    for (Shared shared : watches) {
      if (shared.users < WATCHES) {
        shared.users++;
        return shared;
      }
    }
    Shared made = new Shared(client());
    made.users = 1;
    watches.add(made);
    if (closed) {
      made.client.shutdownNow();
    }
    return made;
  }

  synchronized void giveBack(Shared shared) {
    shared.users--;
    if (shared.users == 0 && watches.size() > 1) {
      watches.remove(shared);
      shared.client.shutdownNow();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    requests.shutdownNow();
    watches.forEach(shared -> shared.client.shutdownNow());
    threads.shutdownNow();
  }
}
