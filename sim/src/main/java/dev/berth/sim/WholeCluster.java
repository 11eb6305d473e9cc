package dev.berth.sim;

import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.component.Components;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TaintChange;
import dev.berth.scheduler.profile.ConfigurationReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that {@code berth up --hollow} runs, on a clock to turn: API server, controllers, scheduler
 * and hollow nodes. A run is a pure function of its seed.
 */
public final class WholeCluster implements AutoCloseable {
  public static final String CONTROLLERS = "controllers";
  public static final String SCHEDULER = "scheduler";
  public static final String HOLLOW = "hollow";
  private static final String DISRUPTION_TARGET = "DisruptionTarget";

  private final VirtualCluster cluster;
  private final ControllerSettings settings;
  private final ComponentNetwork network;
  private @Nullable HollowNodes hollow;

  public WholeCluster(long seed, HollowSettings nodes) {
    this(seed, nodes, ControllerSettings.standard(), ComponentNetwork.DIRECT);
  }

  public WholeCluster(
      long seed, HollowSettings nodes, ControllerSettings settings, ComponentNetwork network) {
    this(seed, ClusterBeginning.EMPTY, nodes, ControlPlaneSettings.of(settings), network);
  }

  /** One that begins at some time with something in it. */
  public WholeCluster(
      long seed,
      ClusterBeginning beginning,
      HollowSettings nodes,
      ControlPlaneSettings settings,
      ComponentNetwork network) {
    this.settings = settings.controllers();
    this.cluster =
        new VirtualCluster(
            seed, this.settings.gates(), beginning, ServerFaults.NONE, settings.tolerations());
    this.network = network;
    cluster.run(CONTROLLERS, this::controllers);
    cluster.schedule(
        ConfigurationReader.defaults(), network.between(SCHEDULER, cluster.schedulersApi()));
    cluster.run(
        HOLLOW,
        () -> {
          hollow =
              HollowNodes.start(
                  new HollowNodes.Parts(
                      network.between(HOLLOW, cluster.admin()),
                      cluster.time(),
                      new Metrics(),
                      nodes));
          return hollow;
        });
  }

  private Components.Handle controllers() {
    return Controllers.run(
        cluster.supervisor(),
        new Controllers.Parts(
            account -> network.between(CONTROLLERS, cluster.parts(account).api()),
            network.between(
                CONTROLLERS, cluster.api("system:kube-controller-manager", "shared-informers")),
            new Metrics(),
            (node, now) -> hollow == null ? Instant.MIN : hollow.lastUnsentHeartbeat(node, now)),
        settings);
  }

  /** The server, and further ways to look at what is there. */
  public VirtualCluster cluster() {
    return cluster;
  }

  public void advance(Duration duration) {
    cluster.advance(duration);
  }

  /** Ends controllers and scheduler as a crash would, and starts others. */
  public void restartControlPlane() {
    cluster.restart(CONTROLLERS);
    cluster.restart(SCHEDULER);
  }

  /** Ends one of them as a crash would, and starts another. */
  public void restart(String component) {
    cluster.restart(component);
  }

  public void create(PodBuilder pod) {
    require(cluster.admin().create(Resources.PODS, pod.build()));
    cluster.settle();
  }

  /** Puts a NoExecute taint on a node, beside those that it has. */
  public void taint(String node, String key) {
    change(node, new TaintChange(List.of(Taint.of(key, TaintEffect.NO_EXECUTE)), List.of()));
    cluster.settle();
  }

  /** Takes a NoExecute taint from a node. */
  public void untaint(String node, String key) {
    change(node, new TaintChange(List.of(), List.of(Taint.of(key, TaintEffect.NO_EXECUTE))));
    cluster.settle();
  }

  /** Changes the taints of a node; nobody has noticed yet, so that several can change at once. */
  public void change(String node, TaintChange change) {
    JsonObject tree = require(cluster.admin().get(Resources.NODES, ObjectName.of(node)));
    JsonArray taints = change.applyTo(tree.object("spec").array("taints"), cluster.time().now());
    Target target = Target.of(Resources.NODES, ObjectName.of(node));
    JsonObject patch = JsonObject.of("spec", JsonObject.of("taints", taints));
    require(cluster.admin().patch(target, PatchType.MERGE, patch));
  }

  /** A node sends nothing any more; its pods keep running. */
  public void silence(String node) {
    hollow().silence(node);
    cluster.settle();
  }

  public void silenceZone(String zone) {
    nodesOf(zone).forEach(hollow()::silence);
    cluster.settle();
  }

  /** A node that was silenced comes back. */
  public void resume(String node) {
    hollow().resume(node);
    cluster.settle();
  }

  public void resumeZone(String zone) {
    nodesOf(zone).forEach(hollow()::resume);
    cluster.settle();
  }

  public List<String> nodesOf(String zone) {
    return cluster.list(Resources.NODES).stream()
        .map(NodeView::read)
        .filter(node -> node.labels().text(WellKnownLabels.ZONE, "").equals(zone))
        .map(NodeView::name)
        .toList();
  }

  public NodeView node(String name) {
    return NodeView.read(require(cluster.admin().get(Resources.NODES, ObjectName.of(name))));
  }

  public PodView pod(String name) {
    return PodView.read(cluster.getPod(name));
  }

  /** The pod runs, and nobody wants it to end. */
  public void assertRunning(String pod) {
    PodView now = pod(pod);
    if (!now.ready() || now.terminating()) {
      throw failure(pod + " does not run: " + cluster.getPod(pod));
    }
  }

  /** Somebody has had the pod deleted for this reason; whether it is gone depends on its node. */
  public void assertEvicted(String pod, String reason) {
    Optional<JsonObject> tree =
        cluster.list(Resources.PODS).stream()
            .filter(p -> ObjectName.of(p).name().equals(pod))
            .findFirst();
    if (tree.isEmpty()) {
      boolean said = cluster.events(pod, "TaintManagerEviction").size() == 1;
      if (!said) {
        throw failure(pod + " is gone, and no event says that it was evicted");
      }
      return;
    }
    JsonObject condition =
        Conditions.find(tree.get().object("status").array("conditions"), DISRUPTION_TARGET)
            .orElse(JsonObject.EMPTY);
    if (!PodView.read(tree.get()).terminating() || !condition.text("reason", "").equals(reason)) {
      throw failure(pod + " was not evicted for " + reason + ": " + tree.get());
    }
  }

  private AssertionError failure(String what) {
    return new AssertionError(
        "at %s, seed %d: %s".formatted(cluster.time().now(), cluster.time().seed(), what));
  }

  private HollowNodes hollow() {
    if (hollow == null) {
      throw new IllegalStateException("the nodes are not there yet");
    }
    return hollow;
  }

  private static JsonObject require(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  @Override
  public void close() {
    cluster.close();
  }
}
