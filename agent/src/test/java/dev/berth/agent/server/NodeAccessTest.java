package dev.berth.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.ClientCertificates;
import dev.berth.time.VirtualTime;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is let in to the node's port, and how often the API server is asked. */
class NodeAccessTest {
  private final VirtualTime time = new VirtualTime(1, _ -> {});
  private final Reviewer api = new Reviewer();
  private final NodeAccess access =
      new NodeAccess(
          api,
          new ClientCertificates(List.of()),
          new NodeServerConfig.Memory(
              Duration.ofMinutes(2), Duration.ofMinutes(5), Duration.ofSeconds(30)),
          time,
          "n1");

  /** Knows the token "good", and allows what it is told to. */
  private static final class Reviewer implements Api {
    final List<String> asked = new ArrayList<>();
    String allowed = "metrics";
    boolean isDown;

    @Override
    public ApiResult send(ApiRequest request) {
      if (isDown || !(request instanceof ApiRequest.Create(var _, JsonObject review))) {
        return new ApiResult.Unreachable("down");
      }
      JsonObject spec = review.object("spec");
      if (review.text("kind", "").equals("TokenReview")) {
        asked.add("token");
        JsonObject user = JsonObject.of("username", "jane").with("groups", JsonArray.of("readers"));
        boolean good = spec.text("token", "").equals("good");
        return new ApiResult.Done(
            JsonObject.of("status", JsonObject.of("authenticated", good).with("user", user)));
      }
      JsonObject attributes = spec.object("resourceAttributes");
      assertThat(spec.text("user", "")).isEqualTo("jane");
      assertThat(spec.array("groups").texts()).containsExactly("readers");
      assertThat(attributes.text("name", "")).isEqualTo("n1");
      String subresource = attributes.text("subresource", "");
      asked.add(attributes.text("verb", "") + " " + subresource);
      return new ApiResult.Done(
          JsonObject.of("status", JsonObject.of("allowed", allowed.equals(subresource))));
    }

    @Override
    public ListResult list(ListRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      throw new UnsupportedOperationException();
    }
  }

  private NodeAccess.Permission ask(String path, String token) {
    return access.check(new Asking("GET", path, "Bearer " + token));
  }

  private record Asking(String method, String path, String authorization) implements Exchange {
    @Override
    public Optional<String> query() {
      return Optional.empty();
    }

    @Override
    public Optional<String> header(String name) {
      return name.equals("Authorization") ? Optional.of(authorization) : Optional.empty();
    }

    @Override
    public List<String> headers(String name) {
      return header(name).stream().toList();
    }

    @Override
    public List<String> headerNames() {
      return List.of("Authorization");
    }

    @Override
    public List<X509Certificate> peerCertificates() {
      return List.of();
    }

    @Override
    public SocketAddress remoteAddress() {
      return new InetSocketAddress(0);
    }

    @Override
    public boolean acceptsGzip() {
      return false;
    }

    @Override
    public byte[] body(int maxBytes) {
      return new byte[0];
    }

    @Override
    public void answerWith(String header, String value) {}

    @Override
    public void respond(Response response) {}

    @Override
    public ResponseStream stream(int status, Headers headers, Streaming streaming) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void answersAreRememberedForAWhile() {
    assertThat(ask("/metrics", "good")).isEqualTo(new NodeAccess.Permission.Allowed());
    assertThat(ask("/metrics/resource", "good")).isEqualTo(new NodeAccess.Permission.Allowed());
    assertThat(api.asked).containsExactly("token", "get metrics");
    time.advance(Duration.ofMinutes(2));
    ask("/metrics", "good");
    assertThat(api.asked).containsExactly("token", "get metrics", "token");
    time.advance(Duration.ofMinutes(3));
    ask("/metrics", "good");
    assertThat(api.asked).endsWith("token", "get metrics");
  }

  @Test
  void aRefusalIsRememberedForLess() {
    assertThat(ask("/stats/summary", "good")).isInstanceOf(NodeAccess.Permission.Forbidden.class);
    api.allowed = "stats";
    time.advance(Duration.ofSeconds(29));
    assertThat(ask("/stats/summary", "good")).isInstanceOf(NodeAccess.Permission.Forbidden.class);
    time.advance(Duration.ofSeconds(1));
    assertThat(ask("/stats/summary", "good")).isEqualTo(new NodeAccess.Permission.Allowed());
  }

  @Test
  void eitherNameOfAPathIsEnough() {
    api.allowed = "proxy";
    assertThat(ask("/pods", "good")).isEqualTo(new NodeAccess.Permission.Allowed());
    assertThat(api.asked).containsExactly("token", "get pods", "get proxy");
  }

  @Test
  void nobodyIsLetInWhileTheServerCannotBeAsked() {
    api.isDown = true;
    assertThat(ask("/metrics", "good")).isEqualTo(new NodeAccess.Permission.Unauthorized());
    api.isDown = false;
    assertThat(ask("/configz", "good")).isInstanceOf(NodeAccess.Permission.Forbidden.class);
    api.isDown = true;
    assertThat(ask("/metrics", "good")).isInstanceOf(NodeAccess.Permission.Failed.class);
    api.isDown = false;
    assertThat(ask("/metrics", "good")).isEqualTo(new NodeAccess.Permission.Allowed());
  }

  @Test
  void otherTokensAreNobodys() {
    assertThat(ask("/metrics", "bad")).isEqualTo(new NodeAccess.Permission.Unauthorized());
    assertThat(ask("/metrics", "")).isEqualTo(new NodeAccess.Permission.Unauthorized());
    assertThat(access.check(new Asking("GET", "/metrics", "Basic good")))
        .isEqualTo(new NodeAccess.Permission.Unauthorized());
  }

  @ParameterizedTest
  @CsvSource({
    "/pods,pods proxy",
    "/runningpods/,pods proxy",
    "/podsies,proxy",
    "/healthz/ping,healthz proxy",
    "/configz,configz proxy",
    "/stats/summary,stats",
    "/metrics,metrics",
    "/metrics/cadvisor,metrics",
    "/logs/kubelet.log,log",
    "/checkpoint/a/b/c,checkpoint",
    "/exec/a/b/c,proxy",
    "/,proxy",
  })
  void pathsHaveNames(String path, String names) {
    assertThat(String.join(" ", NodeSubresources.of(path))).isEqualTo(names);
  }
}
