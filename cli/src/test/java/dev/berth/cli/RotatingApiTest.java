package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.join.NodeBootstrap;
import dev.berth.agent.join.RotatingApi;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.NodeCredential;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running connection goes on with another certificate, against a real server. */
class RotatingApiTest {
  private static final GroupVersionResource REVIEWS =
      new GroupVersionResource("authentication.k8s.io", "v1", "selfsubjectreviews");

  @TempDir Path folder;

  private static NodeCredential node(ClusterCa authority, String name, Instant now) {
    Credential issued =
        authority.issueClient(
            "system:node:" + name, List.of("system:nodes"), Duration.ofDays(1), now);
    return new NodeCredential(List.of(issued.certificate()), issued.key());
  }

  /** Who the server says that we are. */
  private static String user(Api api) {
    JsonObject review = JsonObject.of("metadata", JsonObject.EMPTY);
    return switch (api.create(REVIEWS, review)) {
      case ApiResult.Done(JsonObject answer) ->
          answer.object("status").object("userInfo").text("username", "");
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  @Test
  void theNextRequestHasTheNewCertificate() throws Exception {
    try (BerthProcess berth = BerthProcess.up(folder.resolve("data"), 0);
        WallTime time =
            new WallTime(failure -> {
              throw new AssertionError(failure.toString(), failure.cause());
            })) {
      ClusterCa authority = ClusterCa.open(folder.resolve("data/pki"), time.now());
      Connection admin = Kubeconfig.read(berth.kubeconfig()).connection();
      Connection first = NodeBootstrap.with(admin, node(authority, "n1", time.now()));
      try (RotatingApi api = new RotatingApi(first, time, "test")) {
        assertThat(user(api)).isEqualTo("system:node:n1");
        api.use(node(authority, "n2", time.now()));
        assertThat(user(api)).isEqualTo("system:node:n2");
      }
    }
  }
}
