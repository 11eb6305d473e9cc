package dev.berth.http.jetty;

import dev.berth.http.Handler;
import dev.berth.http.HttpConfig;
import dev.berth.http.HttpLimits;
import dev.berth.http.ServerTls;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.ServerNames;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A server on a free port of this machine, and clients that trust it. */
final class Loopback implements AutoCloseable {

  /** The real time, since TLS looks at the real clock. */
  static final Instant NOW = new WallTime(_ -> {}).now();

  private static final int READ_BOUND_MILLIS = 120_000;
  private static final char[] PASSWORD = "test".toCharArray();

  static final ClusterCa CA;
  private static final Credential SERVER;

  static {
    try {
      Path directory = Files.createTempDirectory("berth-http");
      CA = ClusterCa.open(directory, NOW);
      SERVER = CA.server(ServerNames.of(List.of()), NOW);
      for (String file : List.of("ca.key", "ca.crt", "apiserver.pem", "")) {
        Files.delete(directory.resolve(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final HttpServer server;

  private Loopback(HttpLimits limits, Handler handler) {
    server =
        HttpServer.start(
            new HttpConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                tls(),
                limits,
                (_, _, cause) -> failures.add(cause)),
            handler);
  }

  static Loopback serve(Handler handler) {
    return serve(HttpLimits.DEFAULT, handler);
  }

  static Loopback serve(HttpLimits limits, Handler handler) {
    return new Loopback(limits, handler);
  }

  ServerTls tls() {
    return new ServerTls(SERVER.key(), List.of(SERVER.certificate()), List.of(CA.certificate()));
  }

  int port() {
    return server.port();
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:" + port() + path);
  }

  static HttpClient client(HttpClient.Version version) {
    return client(version, null);
  }

  static HttpClient client(HttpClient.Version version, @Nullable Credential credential) {
    return builder(version, credential).build();
  }

  static HttpClient.Builder builder(HttpClient.Version version) {
    return builder(version, null);
  }

  private static HttpClient.Builder builder(
      HttpClient.Version version, @Nullable Credential credential) {
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(context(credential))
        .connectTimeout(Duration.ofMillis(READ_BOUND_MILLIS));
  }

  /** One request on a connection of its own. */
  HttpResponse<String> get(HttpClient.Version version, String path)
      throws IOException, InterruptedException {
    try (HttpClient client = client(version)) {
      return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofMillis(READ_BOUND_MILLIS));
  }

  /** A TLS connection without any HTTP in it. */
  SSLSocket rawTls(String protocol) throws IOException {
    return tlsOver(rawTcp(), protocol);
  }

  SSLSocket tlsOver(Socket tcp, String protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket) context(null).getSocketFactory().createSocket(tcp, "127.0.0.1", port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  Socket rawTcp() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(READ_BOUND_MILLIS);
    return socket;
  }

  private static SSLContext context(@Nullable Credential credential) {
    try {
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry("ca", CA.certificate());
      TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
      trustManagers.init(trust);
      SSLContext context = SSLContext.getInstance("TLS");
      if (credential == null) {
        context.init(null, trustManagers.getTrustManagers(), null);
      } else {
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry(
            "me", credential.key(), PASSWORD, new Certificate[] {credential.certificate()});
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("SunX509");
        keyManagers.init(own, PASSWORD);
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
      }
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  void leave(Duration patience) {
    server.leave(patience);
  }

  @Override
  public void close() {
    server.close();
  }
}
