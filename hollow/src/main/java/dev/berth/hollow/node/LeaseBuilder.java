package dev.berth.hollow.node;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;

/** The lease by which a node shows that it lives. It belongs to its node, and goes with it. */
final class LeaseBuilder {
  private LeaseBuilder() {}

  static JsonObject created(String node, String uid, Duration duration, Instant now) {
    return new JsonObject.Builder()
        .put("kind", "Lease")
        .put("apiVersion", "coordination.k8s.io/v1")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", node)
                .put("namespace", NodeBuilder.LEASE_NAMESPACE)
                .put("ownerReferences", owners(node, uid))
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

  /** A lease that was there before, as this node's. */
  static JsonObject taken(
      JsonObject lease, String node, String uid, Duration duration, Instant now) {
    JsonObject metadata = lease.object("metadata").with("ownerReferences", owners(node, uid));
    JsonObject spec =
        lease
            .object("spec")
            .with("holderIdentity", node)
            .with("leaseDurationSeconds", duration.toSeconds())
            .with("renewTime", Times.formatMicro(now));
    return lease.with("metadata", metadata).with("spec", spec);
  }

  private static JsonArray owners(String node, String uid) {
    return JsonArray.of(
        new JsonObject.Builder()
            .put("apiVersion", "v1")
            .put("kind", "Node")
            .put("name", node)
            .put("uid", uid)
            .build());
  }
}
