package dev.berth.client.http;

import dev.berth.time.FatalError;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Java's HTTP client, shared by many threads. By itself, it would open a connection for each
 * request that comes before the first connection is made; so the first request goes alone, and the
 * others wait until it was answered.
 */
final class SharedClient implements AutoCloseable {
  static final Duration CONNECT = Duration.ofSeconds(10);

  private final HttpClient client;
  private final ReentrantLock connecting = new ReentrantLock();
  private volatile boolean connected;

  SharedClient(HttpClient client) {
    this.client = client;
  }

  /** Sends a request; returns when its body handler has what it waits for. */
  <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler, Duration timeout)
      throws IOException, InterruptedException {
    // Who waited long enough tries by itself, so that many do not fail one after the other.
    boolean first = !connected && connecting.tryLock(CONNECT.toMillis(), TimeUnit.MILLISECONDS);
    try {
      if (first && connected) {
        connecting.unlock();
        first = false;
      }
      HttpResponse<T> response = exchange(request, handler, timeout);
      connected = true;
      return response;
    } catch (IOException e) {
      connected = false;
      throw e;
    } finally {
      if (first) {
        connecting.unlock();
      }
    }
  }

  private <T> HttpResponse<T> exchange(
      HttpRequest request, BodyHandler<T> handler, Duration timeout)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, handler);
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      FatalError.check(e);
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (TimeoutException e) {
      IOException late =
          new SocketTimeoutException("there was no answer for " + timeout.toSeconds() + " s");
      late.initCause(e);
      throw late;
    } finally {
      answer.cancel(true);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
