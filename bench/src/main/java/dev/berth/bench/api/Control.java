package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks a server of our own on this machine what is beside the measurement. */
final class Control {
  private final HttpClient http;
  private final Berth berth;

  Control(Berth berth) throws IOException, GeneralSecurityException {
    this.berth = berth;
    this.http = HttpClient.newBuilder().sslContext(trusting(berth.authority())).build();
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

  private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, null);
    try (InputStream in = Files.newInputStream(authority)) {
      known.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls;
  }
}
