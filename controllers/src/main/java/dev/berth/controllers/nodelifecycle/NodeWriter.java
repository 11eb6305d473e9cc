package dev.berth.controllers.nodelifecycle;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.core.Condition;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TaintChange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes nodes. Every write names the revision that it was decided on, so that nobody else's
 * change is lost, and what was decided on something older is decided again. All methods block, and
 * have no state.
 */
final class NodeWriter {
  static final String LEASE_NAMESPACE = "kube-node-lease";

  private final Api api;

  NodeWriter(Api api) {
    this.api = api;
  }

  /** What became of telling that a node is lost. */
  sealed interface Lost {
    /** It is not: its lease was renewed, which the watch had not told yet. */
    record Alive(String renewTime) implements Lost {}

    /** The server does not answer, so nobody knows. */
    record Unsure() implements Lost {}

    record Written(ApiResult result) implements Lost {}
  }

  /**
   * Makes the conditions of a node Unknown, after a last look at its lease: a watch that lags
   * behind, or a controller that was held up, must not make nodes look dead that are not.
   *
   * @param renewTime the renew time of the lease that is known; null if none is
   */
  Lost markLost(JsonObject node, @Nullable String renewTime, List<Condition> conditions) {
    String name = Metadata.of(node).name();
    switch (api.get(Resources.LEASES, new ObjectName(LEASE_NAMESPACE, name))) {
      case ApiResult.Done(JsonObject lease) -> {
        String now = renewTime(lease);
        if (now != null && !now.equals(renewTime)) {
          return new Lost.Alive(now);
        }
      }
      case ApiResult.Unreachable _ -> {
        return new Lost.Unsure();
      }
      case ApiResult.Refused(ApiError error) -> {
        if (error.isTooManyRequests() || error.isServerError()) {
          return new Lost.Unsure();
        }
        // There is no lease, or we may not see it: what is known has to do.
      }
    }
    JsonArray trees = JsonArray.copyOf(conditions.stream().map(Condition::toTree).toList());
    JsonObject patch =
        new JsonObject.Builder()
            .put("metadata", sameRevision(node))
            .put("status", JsonObject.of("conditions", trees))
            .build();
    return new Lost.Written(
        api.patch(target(node).subresource("status"), PatchType.STRATEGIC, patch));
  }

  /** The renew time of a lease as it stands there; null if it has none. */
  static Duration leaseDuration(JsonObject lease) {
    return Duration.ofSeconds(lease.object("spec").integer("leaseDurationSeconds").orElse(0));
  }

  static @Nullable String renewTime(JsonObject lease) {
    return lease.object("spec").text("renewTime");
  }

  /** Changes taints and labels. */
  ApiResult change(JsonObject node, List<TaintChange> changes, JsonObject labels, Instant now) {
    JsonObject metadata = sameRevision(node);
    JsonObject patch =
        JsonObject.of("metadata", labels.isEmpty() ? metadata : metadata.with("labels", labels));
    if (!changes.isEmpty()) {
      JsonArray taints = node.object("spec").array("taints");
      for (TaintChange change : changes) {
        taints = change.applyTo(taints, now);
      }
      Object value = taints.isEmpty() ? JsonNull.NULL : taints;
      patch = patch.with("spec", JsonObject.of("taints", value));
    }
    return api.patch(target(node), PatchType.MERGE, patch);
  }

  private static Target target(JsonObject node) {
    return Target.of(Resources.NODES, ObjectName.of(node));
  }

  private static JsonObject sameRevision(JsonObject node) {
    Metadata metadata = Metadata.of(node);
    return new JsonObject.Builder()
        .put("uid", metadata.uid())
        .put("resourceVersion", metadata.resourceVersion())
        .build();
  }
}
