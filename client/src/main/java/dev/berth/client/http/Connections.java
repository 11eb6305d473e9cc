package dev.berth.client.http;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/**
 * The connections to a cluster. Java's client has one HTTP/2 connection to each server, and fails
 * when it needs more streams there than the server allows. So requests have a client of their own,
 * and watches one for each hundred.
 */
final class Connections implements AutoCloseable {
  private static final int WATCHES = 100;

  private final SSLContext tls;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SharedClient requests;
  private final List<ForWatches> watches = new ArrayList<>();
  private boolean closed;

  /** A client, and how many use it. */
  static final class ForWatches {
    private final SharedClient client;
    private int users;

    ForWatches(SharedClient client) {
      this.client = client;
    }

    SharedClient client() {
      return client;
    }
  }

  Connections(SSLContext tls) {
    this.tls = tls;
    this.requests = client();
  }

  private SharedClient client() {
    return new SharedClient(
        HttpClient.newBuilder()
            .sslContext(tls)
            .executor(threads)
            .connectTimeout(SharedClient.CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build());
  }

  SharedClient requests() {
    return requests;
  }

  /** A client for one more watch, which gives it back. */
  synchronized ForWatches take() {
    for (ForWatches some : watches) {
      if (some.users < WATCHES) {
        some.users++;
        return some;
      }
    }
    ForWatches made = new ForWatches(client());
    made.users = 1;
    watches.add(made);
    if (closed) {
      made.client.close();
    }
    return made;
  }

  synchronized void giveBack(ForWatches used) {
    used.users--;
    if (used.users == 0 && watches.size() > 1) {
      watches.remove(used);
      used.client.close();
    }
  }

  /** Ends the watches that there are; those that begin later have other connections. */
  synchronized void abandonWatches() {
    watches.forEach(some -> some.client.close());
    watches.clear();
  }

  @Override
  public synchronized void close() {
    closed = true;
    requests.close();
    watches.forEach(some -> some.client.close());
    threads.shutdownNow();
  }
}
