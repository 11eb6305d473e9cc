package dev.berth.agent.probe;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Reaches containers over the machine's network. For any thread. */
public final class NetworkConnections implements Connections {
  /** Headers that Java's client sets itself, and lets nobody else set. */
  private static final Set<String> RESERVED =
      Set.of("host", "connection", "content-length", "expect", "upgrade");

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable HttpClient client;

  @Override
  public HttpAnswer httpGet(URI address, List<Header> headers, Duration timeout) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address).GET();
    if (timeout.isPositive()) {
      request.timeout(timeout);
    }
    try {
      for (Header header : headers) {
        if (!RESERVED.contains(header.name().toLowerCase(Locale.ROOT))) {
          request.header(header.name(), header.value());
        }
      }
      HttpResponse<Void> response =
          client().send(request.build(), HttpResponse.BodyHandlers.discarding());
      return new HttpAnswer(response.statusCode(), "");
    } catch (HttpTimeoutException e) {
      return unanswered(
          address, "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
    } catch (ConnectException e) {
      return unanswered(
          address,
          "dial tcp %s:%d: connect: connection refused"
              .formatted(address.getHost(), address.getPort()));
    } catch (IOException | IllegalArgumentException e) {
      return unanswered(address, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unanswered(address, "interrupted");
    }
  }

  private static HttpAnswer unanswered(URI address, String why) {
    return new HttpAnswer(0, "Get \"%s\": %s".formatted(address, why));
  }

  @Override
  @SuppressWarnings("AddressSelection") // a pod is probed at one address
  public Outcome tcp(String host, int port, Duration timeout) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      return Outcome.success("");
    } catch (SocketTimeoutException e) {
      return Outcome.failure("dial tcp %s:%d: i/o timeout".formatted(host, port));
    } catch (IOException e) {
      return Outcome.failure("dial tcp %s:%d: connect: connection refused".formatted(host, port));
    }
  }

  @Override
  public Outcome grpc(String host, int port, String service, Duration timeout) {
    return GrpcHealth.check(host, port, service, timeout);
  }

  /** Made when it is first needed: many nodes have no HTTP probes, and it has a thread. */
  private HttpClient client() {
    lock.lock();
    try {
      HttpClient made = client;
      if (made == null) {
        made =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .sslContext(anyServer())
                .build();
        client = made;
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  /** A probe asks whether a server answers, not who it is. */
  private static SSLContext anyServer() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Java without TLS", e);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (client != null) {
        client.shutdownNow();
        client = null;
      }
    } finally {
      lock.unlock();
    }
  }

  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
