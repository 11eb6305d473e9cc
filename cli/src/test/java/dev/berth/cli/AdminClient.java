package dev.berth.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The administrator of a kubeconfig, over HTTP/2 unless told otherwise: faster than a process for
 * each request.
 */
public final class AdminClient implements AutoCloseable {
  /** What PKCS #8 puts before a key of SEC 1 on the curve P-256; Java reads no other. */
  private static final String PKCS8_HEAD =
      "308193020100301306072a8648ce3d020106082a8648ce3d0301070479";

  private final HttpClient http;
  private final URI server;

  public AdminClient(Path kubeconfig) throws IOException, GeneralSecurityException {
    this(kubeconfig, URI.create(value(Files.readString(kubeconfig), "server")));
  }

  /** The same at another address of the server. */
  public AdminClient(Path kubeconfig, URI server) throws IOException, GeneralSecurityException {
    this(kubeconfig, server, HttpClient.Version.HTTP_2);
  }

  /** The same by another version of HTTP. */
  AdminClient(Path kubeconfig, URI server, HttpClient.Version version)
      throws IOException, GeneralSecurityException {
    String text = Files.readString(kubeconfig);
    this.server = server;
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "admin",
        key(decoded(text, "client-key-data")),
        new char[0],
        new Certificate[] {certificate(decoded(text, "client-certificate-data"))});
    keys.setCertificateEntry("ca", certificate(decoded(text, "certificate-authority-data")));
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, new char[0]);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(keys);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    http = HttpClient.newBuilder().sslContext(tls).version(version).build();
  }

  private static String value(String kubeconfig, String name) {
    Matcher line = Pattern.compile(name + ": (\\S+)").matcher(kubeconfig);
    if (!line.find()) {
      throw new AssertionError("The kubeconfig has no " + name);
    }
    return line.group(1);
  }

  private static byte[] decoded(String kubeconfig, String name) {
    return Base64.getDecoder().decode(value(kubeconfig, name));
  }

  private static Certificate certificate(byte[] pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem));
  }

  private static PrivateKey key(byte[] pem) throws GeneralSecurityException {
    String body = new String(pem, US_ASCII).replaceAll("-----[A-Z ]+-----|\\s", "");
    byte[] wrapped =
        HexFormat.of()
            .parseHex(PKCS8_HEAD + HexFormat.of().formatHex(Base64.getDecoder().decode(body)));
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(wrapped));
  }

  public HttpResponse<String> send(String method, String path, String contentType, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(server.resolve(path))
            .header("Content-Type", contentType)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** The same, but nobody waits for longer. */
  public HttpResponse<String> send(String method, String path, String body, Duration timeout)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(server.resolve(path))
            .header("Content-Type", "application/json")
            .timeout(timeout)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Begins to read an answer that goes on, such as a watch. */
  public HttpResponse<InputStream> read(String path, Duration timeout)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(server.resolve(path)).timeout(timeout).build(),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
