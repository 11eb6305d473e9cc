package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.ServerNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A webhook that admits all it is asked about, over TLS, in a process of its own. */
final class WebhookProcess implements AutoCloseable {
  private final Process process;
  private final String clientConfig;

  private WebhookProcess(Process process, String clientConfig) {
    this.process = process;
    this.clientConfig = clientConfig;
  }

  static WebhookProcess start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WebhookProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader(UTF_8);
    String clientConfig = out.readLine();
    if (clientConfig == null) {
      throw new IOException("the webhook ended before it was ready");
    }
    return new WebhookProcess(process, clientConfig);
  }

  /** Where it is and whom to trust, as a webhook's configuration says it. */
  String clientConfig() {
    return clientConfig;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("the webhook did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The process itself: says where it is, and answers until it is ended. */
  public static void main(String... arguments) throws Exception {
    Instant now = Instant.now();
    ClusterCa authority = ClusterCa.inMemory(now);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls(authority.server(ServerNames.of(List.of("localhost")), now))));
    server.createContext("/", WebhookProcess::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    String bundle = Base64.getEncoder().encodeToString(authority.pem().getBytes(UTF_8));
    System.out.printf(
        "{\"url\":\"https://localhost:%d/\",\"caBundle\":\"%s\"}%n",
        server.getAddress().getPort(), bundle);
  }

  private static SSLContext tls(Credential credential)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "server", credential.key(), new char[0], new Certificate[] {credential.certificate()});
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonObject review =
          JsonReader.object(exchange.getRequestBody().readAllBytes(), JsonLimits.REQUEST);
      JsonObject response =
          JsonObject.of("uid", review.object("request").text("uid", "")).with("allowed", true);
      byte[] answer = JsonWriter.toBytes(review.without("request").with("response", response));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }
}
