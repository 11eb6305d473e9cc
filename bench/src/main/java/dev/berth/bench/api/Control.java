package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Asks a server of our own on this machine what is beside the measurement. */
final class Control {
  private final HttpClient http;
  private final Berth berth;

  Control(Berth berth) throws GeneralSecurityException {
    this.berth = berth;
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new TrustsItself()}, new SecureRandom());
    this.http = HttpClient.newBuilder().sslContext(tls).build();
  }

  byte[] get(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build());
  }

  byte[] post(String path, byte[] json) throws IOException, InterruptedException {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofByteArray(json)).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(berth.url(path)))
        .header("Authorization", "Bearer " + Berth.TOKEN)
        .header("Content-Type", "application/json");
  }

  private byte[] send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() >= 300) {
      throw new IOException(request.uri() + ": " + new String(response.body(), UTF_8));
    }
    return response.body();
  }

  /** The server is the one that this program started. */
  private static final class TrustsItself extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
