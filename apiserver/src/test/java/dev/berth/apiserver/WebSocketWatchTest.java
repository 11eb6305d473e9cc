package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.client.kubeconfig.Kubeconfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches over WebSocket, with Java's own client, which knows nothing of Kubernetes. */
@Timeout(60)
class WebSocketWatchTest {
  private static final String TOKEN = "base64url.bearer.authorization.k8s.io.";
  private static final String PATH = "/api/v1/namespaces/default/configmaps?watch=1";

  @TempDir static Path directory;

  private static LocalServer server;
  private static Kubectl kubectl;
  private static HttpClient client;
  private static URI address;
  private static String token;

  @BeforeAll
  static void start() throws Exception {
    server = LocalServer.open(directory);
    kubectl = new Kubectl(directory, server.kubeconfig());
    var connection = Kubeconfig.read(server.kubeconfig()).connection();
    address = connection.server();
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    for (X509Certificate authority : ((Trust.Authorities) connection.trust()).certificates()) {
      authorities.setCertificateEntry("a", authority);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(authorities);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    client = HttpClient.newBuilder().sslContext(tls).build();
    kubectl.run("create", "serviceaccount", "watcher");
    kubectl.run(
        "create",
        "clusterrolebinding",
        "watcher",
        "--clusterrole=view",
        "--serviceaccount=default:watcher");
    token = kubectl.run("create", "token", "watcher").strip();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  /** Keeps what arrives. */
  private static final class Received implements WebSocket.Listener {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final StringBuilder part = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        messages.add(part.toString());
        part.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      messages.add("closed " + code);
      return null;
    }
  }

  private static WebSocket open(String path, String bearer, Received into) throws Exception {
    String encoded =
        TOKEN + Base64.getUrlEncoder().withoutPadding().encodeToString(bearer.getBytes(UTF_8));
    return client
        .newWebSocketBuilder()
        .subprotocols("events.example.com", encoded)
        .buildAsync(URI.create("wss://" + address.getAuthority() + path), into)
        .get();
  }

  @Test
  void eachEventIsAMessageAndTheTokenIsNoProtocol() throws Exception {
    Received received = new Received();
    WebSocket socket = open(PATH, token, received);
    assertThat(socket.getSubprotocol()).isEqualTo("events.example.com");
    kubectl.run("create", "configmap", "over-websocket");
    String added = received.messages.take();
    while (!added.contains("over-websocket")) {
      added = received.messages.take();
    }
    assertThat(added)
        .startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\"")
        .endsWith("}\n");
    kubectl.run("delete", "configmap", "over-websocket");
    assertThat(received.messages.take()).startsWith("{\"type\":\"DELETED\"");
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get();
  }

  @Test
  void itEndsWithItsTime() throws Exception {
    Received received = new Received();
    var _ = open("/api/v1/watch/namespaces/default/pods?timeoutSeconds=1", token, received);
    assertThat(received.messages.take()).isEqualTo("closed 1000");
  }

  @Test
  void whoIsNotKnownIsRefused() {
    assertThat(catchThrowable(() -> open(PATH, "wrong", new Received())))
        .rootCause()
        .hasMessageContaining("401");
  }
}
