package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.apiserver.fixture.WebSockets;
import dev.berth.apiserver.fixture.WebSockets.Received;
import java.net.http.WebSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Watches over WebSocket, by somebody whose token is a subprotocol. */
class WebSocketWatchTest extends WithKubectl {
  private static final String PATH = "/api/v1/namespaces/default/configmaps?watch=1";
  private static final String PROTOCOL = "events.example.com";

  private static WebSockets sockets;
  private static String token;

  @BeforeAll
  static void connect() {
    sockets = new WebSockets(directory.resolve("kubeconfig"));
    kubectl("create", "serviceaccount", "watcher");
    kubectl(
        "create",
        "clusterrolebinding",
        "watcher",
        "--clusterrole=view",
        "--serviceaccount=default:watcher");
    token = kubectl("create", "token", "watcher").strip();
  }

  @AfterAll
  static void disconnect() {
    sockets.close();
  }

  @Test
  void eachEventIsAMessageAndTheTokenIsNoProtocol() throws Exception {
    Received received = new Received();
    WebSocket socket = sockets.open(PATH, PROTOCOL, token, received);
    assertThat(socket.getSubprotocol()).isEqualTo(PROTOCOL);
    kubectl("create", "configmap", "over-websocket");
    String added = received.next();
    while (!added.contains("over-websocket")) {
      added = received.next();
    }
    assertThat(added)
        .startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\"")
        .endsWith("}\n");
    kubectl("delete", "configmap", "over-websocket");
    assertThat(received.next()).startsWith("{\"type\":\"DELETED\"");
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get();
  }

  @Test
  void itEndsWithItsTime() throws Exception {
    Received received = new Received();
    String path = "/api/v1/watch/namespaces/default/pods?timeoutSeconds=1";
    var _ = sockets.open(path, PROTOCOL, token, received);
    assertThat(received.next()).isEqualTo("closed 1000");
  }

  @Test
  void whoIsNotKnownIsRefused() {
    assertThat(catchThrowable(() -> sockets.open(PATH, PROTOCOL, "wrong", new Received())))
        .rootCause()
        .hasMessageContaining("401");
  }
}
