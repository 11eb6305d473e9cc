package dev.berth.controllers.tainteviction;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.RetryingRequests;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes {@code timeAdded} onto NoExecute taints that have none, so that a countdown goes on where
 * it was after a restart. Berth's server leaves nothing to do here; other servers give a time only
 * to the taints that controllers put.
 */
final class TaintStamps {
  private static final int AT_ONCE = 16;

  private final Api api;
  private final RetryingRequests retrying;

  TaintStamps(ControllerParts parts, Loop loop) {
    this.api = parts.api();
    this.retrying = new RetryingRequests(loop, parts.time(), AT_ONCE);
  }

  /** Sees to it that the server knows the times by which this node's taints are counted. */
  void consider(TrackedNode node) {
    if (node.stamping != null) {
      node.stamping.changed();
    } else if (node.lacksTimes()) {
      RetryingRequests.RetryingRequest stamping = retrying.make(new Stamping(node));
      node.stamping = stamping;
      stamping.begin();
    }
  }

  private final class Stamping implements RetryingRequests.Task {
    private final TrackedNode node;

    Stamping(TrackedNode node) {
      this.node = node;
    }

    @Override
    public Optional<Supplier<ApiResult>> next() {
      JsonObject tree = node.tree;
      if (tree == null || !node.lacksTimes()) {
        node.stamping = null;
        return Optional.empty();
      }
      // Only this very revision: taints are one list, and somebody else's change must not be lost.
      JsonObject only =
          new JsonObject.Builder()
              .put("uid", Metadata.of(tree).uid())
              .put("resourceVersion", Metadata.of(tree).resourceVersion())
              .build();
      JsonObject patch =
          new JsonObject.Builder()
              .put("metadata", only)
              .put("spec", JsonObject.of("taints", node.stamped))
              .build();
      Target target = Target.of(Resources.NODES, ObjectName.of(node.name));
      return Optional.of(() -> api.patch(target, PatchType.MERGE, patch));
    }

    @Override
    public void done() {
      // What was written is heard of; whatever else has changed by then is considered then.
      node.stamping = null;
    }

    @Override
    public void failed(ApiResult.Failure why, Duration delay) {
      // Until it succeeds the countdown is right, and only a restart would begin it anew.
    }
  }
}
