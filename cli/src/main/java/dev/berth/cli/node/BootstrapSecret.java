package dev.berth.cli.node;

import dev.berth.agent.join.ClusterDiscovery;
import dev.berth.agent.join.JoinToken;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.model.bootstrap.BootstrapToken;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.net.URI;
import java.time.Instant;

/** How a cluster knows a bootstrap token, and where whoever has one finds the cluster. */
public final class BootstrapSecret {
  /** Where all of them are. */
  public static final String NAMESPACE = "kube-system";

  private BootstrapSecret() {}

  /** The secret of the token with an id. */
  public static ObjectName name(String id) {
    return new ObjectName(NAMESPACE, "bootstrap-token-" + id);
  }

  /** The secret to be. */
  public static JsonObject of(JoinToken token, Instant expiration, String description) {
    return new JsonObject.Builder()
        .put("apiVersion", "v1")
        .put("kind", "Secret")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", name(token.id()).name())
                .put("namespace", NAMESPACE)
                .build())
        .put("type", BootstrapToken.TYPE)
        .put(
            "stringData",
            new JsonObject.Builder()
                .put("token-id", token.id())
                .put("token-secret", token.secret())
                .put("expiration", Times.format(expiration))
                .put("usage-bootstrap-authentication", "true")
                .put("usage-bootstrap-signing", "true")
                .put("description", description)
                .build())
        .build();
  }

  /**
   * Where another machine finds the cluster: this machine's kubeconfig may say 127.0.0.1, which the
   * other one must not be told.
   */
  public static URI addressForOthers(HttpApi api, URI own) {
    boolean isForThisMachine =
        own.getHost().equals("localhost")
            || own.getHost().startsWith("127.")
            || own.getHost().equals("[::1]");
    if (!isForThisMachine) {
      return own;
    }
    return switch (api.get(Resources.CONFIG_MAPS, ClusterDiscovery.INFO)) {
      case ApiResult.Done(JsonObject info) -> ClusterDiscovery.address(info).orElse(own);
      case ApiResult.Failure _ -> own;
    };
  }
}
