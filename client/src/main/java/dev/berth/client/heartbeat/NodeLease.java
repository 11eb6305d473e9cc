package dev.berth.client.heartbeat;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;

/**
 * The lease by which a node shows that it lives. It belongs to its node, and goes with it.
 *
 * <p>A renewal is a patch of its time and nothing else, which is smaller than the whole lease that
 * a kubelet sends, and needs no lease to be kept here.
 *
 * @param node the node's name, which is the lease's, too
 * @param uid the node's
 */
public record NodeLease(String node, String uid, Duration duration) {
  public static final String NAMESPACE = "kube-node-lease";

  /** The lease of a node, whoever made it. */
  public static ObjectName name(String node) {
    return new ObjectName(NAMESPACE, node);
  }

  /** Says once more that the node lives; the lease must exist. */
  public ApiResult renew(Api api, Instant now) {
    JsonObject renewal = JsonObject.of("renewTime", Times.formatMicro(now));
    return api.patch(
        Target.of(Resources.LEASES, name(node)), PatchType.MERGE, JsonObject.of("spec", renewal));
  }

  /** Creates the lease, or takes over the one that is there. */
  public ApiResult create(Api api, Instant now) {
    ApiResult made = api.create(Resources.LEASES, created(now));
    if (!made.isAlreadyExists()) {
      return made;
    }
    return switch (api.get(Resources.LEASES, name(node))) {
      case ApiResult.Done(JsonObject lease) -> api.update(Resources.LEASES, taken(lease, now));
      case ApiResult.Failure failure -> failure;
    };
  }

  private JsonObject created(Instant now) {
    return new JsonObject.Builder()
        .put("kind", "Lease")
        .put("apiVersion", "coordination.k8s.io/v1")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", node)
                .put("namespace", NAMESPACE)
                .put("ownerReferences", owners())
                .build())
        .put(
            "spec",
            new JsonObject.Builder()
                .put("holderIdentity", node)
                .put("leaseDurationSeconds", duration.toSeconds())
                .put("renewTime", Times.formatMicro(now))
                .build())
        .build();
  }

  private JsonObject taken(JsonObject lease, Instant now) {
    JsonObject metadata = lease.object("metadata").with("ownerReferences", owners());
    JsonObject spec =
        lease
            .object("spec")
            .with("holderIdentity", node)
            .with("leaseDurationSeconds", duration.toSeconds())
            .with("renewTime", Times.formatMicro(now));
    return lease.with("metadata", metadata).with("spec", spec);
  }

  private JsonArray owners() {
    return JsonArray.of(
        new JsonObject.Builder()
            .put("apiVersion", "v1")
            .put("kind", "Node")
            .put("name", node)
            .put("uid", uid)
            .build());
  }
}
