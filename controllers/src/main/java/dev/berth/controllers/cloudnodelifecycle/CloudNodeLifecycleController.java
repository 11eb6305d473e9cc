package dev.berth.controllers.cloudnodelifecycle;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.cloud.AskedCloud;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.controllers.cloud.NodePatch;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.core.CloudNodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cloud.CloudLifecycleAction;
import dev.berth.policy.cloud.CloudLifecyclePlan;
import dev.berth.policy.cloud.CloudNode;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.List;

/**
 * Deletes nodes whose machines are gone, and taints those whose machines are stopped, by {@link
 * CloudLifecyclePlan}. The cloud is asked about nodes that are not ready, once in a period.
 */
public final class CloudNodeLifecycleController
    implements Reconciler<CloudNode, CloudLifecycleAction, CloudLifecyclePlan> {
  /** The service account under which it works: upstream's has the rights of this one, too. */
  public static final String ACCOUNT = "node-controller";

  private static final String NAME = "cloud-node-lifecycle-controller";
  private static final int REQUESTS = 16;

  private final Api api;
  private final ReconcilerFrame<CloudNode, CloudLifecycleAction, CloudLifecyclePlan> frame;
  private final AskedCloud cloud;

  private CloudNodeLifecycleController(ControllerParts parts, CloudSettings settings) {
    this.api = parts.api();
    this.frame =
        new ReconcilerFrame<>(
            parts,
            new ReconcilerSettings(
                new ObjectKind(Resources.NODES, "Node"), NAME, NAME, settings.atOnce(), REQUESTS),
            this);
    this.cloud =
        new AskedCloud(
            settings.provider(),
            settings.monitorPeriod(),
            parts.time(),
            frame.remembers(AskedCloud.Memory::new));
  }

  public static Controller start(ControllerParts parts, CloudSettings settings) {
    return new CloudNodeLifecycleController(parts, settings).frame.start();
  }

  @Override
  public void prepare(Reconciliation run) {
    if (CloudLifecyclePlan.isCloudAsked(CloudNodeView.read(run.object()))) {
      cloud.ask(run, false);
    }
  }

  @Override
  public CloudNode snapshot(Reconciliation run, List<JsonObject> owned) {
    return cloud.state(run.object());
  }

  @Override
  public CloudLifecyclePlan decide(CloudNode state, Instant now) {
    return CloudLifecyclePlan.decide(state);
  }

  @Override
  public void apply(Reconciliation run, CloudLifecycleAction action) {
    switch (action) {
      case CloudLifecycleAction.Delete() -> delete(run);
      case CloudLifecycleAction.SetTaints(JsonArray taints, boolean _) ->
          run.request(
              () -> NodePatch.of(run.object()).taints(taints).write(api),
              result -> ended(run, "FailedUpdate", result));
    }
  }

  private void delete(Reconciliation run) {
    Metadata node = Metadata.of(run.object());
    run.event(
        Note.normal(
            "DeletingNode",
            "Deleting node %s because it does not exist in the cloud provider"
                .formatted(node.name())),
        "Delete");
    DeleteOptions only = DeleteOptions.NONE.onlyUid(node.uid());
    run.request(
        () -> api.delete(Resources.NODES, ObjectName.of(run.object()), only),
        result -> {
          if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
            run.event(
                Note.warning(
                    "DeletingNodeFailed",
                    "Failed deleting node %s: %s".formatted(node.name(), why.message())),
                "Delete");
          }
          ended(run, "FailedDelete", result);
        });
  }

  /** What failed is tried again after a while, and the cloud asked again before. */
  private void ended(Reconciliation run, String reason, ApiResult result) {
    if (!result.isDone()) {
      cloud.askSoon(run.object());
    }
    run.failUnlessGone(reason, result);
    run.waitForNews();
  }
}
