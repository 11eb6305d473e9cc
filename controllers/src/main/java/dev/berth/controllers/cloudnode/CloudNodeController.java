package dev.berth.controllers.cloudnode;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
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
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.CloudNodeView;
import dev.berth.model.core.NodeAddress;
import dev.berth.model.core.NodeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cloud.CloudNode;
import dev.berth.policy.cloud.CloudNodeAction;
import dev.berth.policy.cloud.CloudNodePlan;
import dev.berth.policy.reconcile.Note;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Describes nodes as their cloud knows them, by {@link CloudNodePlan}. The cloud is asked about a
 * node that waits for it whenever that node is reconciled, and about others once in a period.
 */
public final class CloudNodeController
    implements Reconciler<CloudNode, CloudNodeAction, CloudNodePlan> {
  /** The service account under which it works: upstream's has the rights of this one, too. */
  public static final String ACCOUNT = "node-controller";

  private static final String NAME = "cloud-node-controller";
  private static final int REQUESTS = 16;
  private static final List<Double> SECONDS = List.of(1.0, 4.0, 16.0, 64.0, 256.0, 1024.0);

  private final Api api;
  private final Time time;
  private final Consumer<String> warnings;
  private final ReconcilerFrame<CloudNode, CloudNodeAction, CloudNodePlan> frame;
  private final AskedCloud cloud;
  private final Histogram untaintedAfter;
  private final Histogram initializedAfter;

  private CloudNodeController(ControllerParts parts, CloudSettings settings) {
    this.api = parts.api();
    this.time = parts.time();
    this.warnings = parts.warnings();
    this.frame =
        new ReconcilerFrame<>(
            parts,
            new ReconcilerSettings(
                new ObjectKind(Resources.NODES, "Node"),
                NAME,
                "Nodes",
                settings.atOnce(),
                REQUESTS),
            this);
    this.cloud =
        new AskedCloud(
            settings.provider(),
            settings.statusPeriod(),
            time,
            frame.remembers(AskedCloud.Memory::new));
    this.untaintedAfter =
        histogram(
            parts.metrics(),
            "cloud_provider_taint_removal_delay_seconds",
            "Number of seconds after node creation when NodeController removed the cloud-provider"
                + " taint of a single node.");
    this.initializedAfter =
        histogram(
            parts.metrics(),
            "initial_node_sync_delay_seconds",
            "Number of seconds after node creation when NodeController finished the initial"
                + " synchronization of a single node.");
  }

  private static Histogram histogram(Metrics metrics, String name, String help) {
    return metrics.histograms("node_controller_" + name, help, SECONDS).with();
  }

  public static Controller start(ControllerParts parts, CloudSettings settings) {
    return new CloudNodeController(parts, settings).frame.start();
  }

  @Override
  public void prepare(Reconciliation run) {
    cloud.ask(run, CloudNodeView.read(run.object()).isUninitialized());
  }

  @Override
  public CloudNode snapshot(Reconciliation run, List<JsonObject> owned) {
    return cloud.state(run.object());
  }

  @Override
  public CloudNodePlan decide(CloudNode state, Instant now) {
    return CloudNodePlan.decide(state);
  }

  @Override
  public void apply(Reconciliation run, CloudNodeAction action) {
    NodePatch patch = NodePatch.of(run.object());
    switch (action) {
      case CloudNodeAction.Initialize initialize -> initialize(run, initialize);
      case CloudNodeAction.SetAddresses(List<NodeAddress> addresses) ->
          run.request(() -> patch.writeAddresses(api, addresses), result -> addressed(run, result));
      case CloudNodeAction.SetLabels(Map<String, String> labels) ->
          run.request(() -> patch.labels(labels).write(api), result -> written(run, result));
      case CloudNodeAction.TryAgain(String why) -> {
        warnings.accept(why);
        run.retry();
      }
    }
  }

  /** First what lets pods on the node, then its addresses: the server writes them one by one. */
  private void initialize(Reconciliation run, CloudNodeAction.Initialize what) {
    NodePatch patch =
        NodePatch.of(run.object())
            .labels(what.labels())
            .taints(what.taints())
            .providerId(what.providerId());
    run.request(
        () -> patch.write(api),
        result -> {
          written(run, result);
          if (result instanceof ApiResult.Done(JsonObject node)) {
            untaintedAfter.observe(age(node));
            address(run, node, what.addresses());
          }
        });
  }

  private void address(Reconciliation run, JsonObject node, List<NodeAddress> addresses) {
    if (addresses.isEmpty()) {
      initialized(run, node);
      return;
    }
    run.request(
        () -> NodePatch.of(node).writeAddresses(api, addresses),
        result -> {
          addressed(run, result);
          initialized(run, node);
        });
  }

  private void initialized(Reconciliation run, JsonObject node) {
    run.event(Note.normal("Synced", "Node synced successfully"), "Sync");
    initializedAfter.observe(age(node));
  }

  private Duration age(JsonObject node) {
    Instant created = NodeView.read(node).creationTimestamp();
    return created == null ? Duration.ZERO : Duration.between(created, time.now());
  }

  /** What could not be written is not left to the next period: the cloud is asked again before. */
  private void addressed(Reconciliation run, ApiResult result) {
    if (!result.isDone()) {
      cloud.askSoon(run.object());
    }
    written(run, result);
  }

  /** The next decision is made on what comes of it. */
  private static void written(Reconciliation run, ApiResult result) {
    run.failUnlessGone("FailedUpdate", result);
    run.waitForNews();
  }
}
