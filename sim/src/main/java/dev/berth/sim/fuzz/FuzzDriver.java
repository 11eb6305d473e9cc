package dev.berth.sim.fuzz;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TaintChange;
import dev.berth.sim.fuzz.invariant.ClusterState;
import dev.berth.sim.run.Drainer;
import dev.berth.sim.scenario.NodeChoice;
import dev.berth.sim.scenario.ScenarioAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Does to a simulated cluster what the steps of a history say, and undoes it when its time is up.
 */
final class FuzzDriver implements AutoCloseable {
  /** How soon to try again what the server did not do. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private static final Duration DRAIN_WITHIN = Duration.ofMinutes(10);

  private final FuzzCluster cluster;
  private final FuzzNetwork network;
  private final Api api;
  private final ClusterState state;
  private final Drainer drainer;

  FuzzDriver(FuzzCluster cluster) {
    this.cluster = cluster;
    this.network = cluster.network();
    this.api = cluster.user();
    this.state = cluster.referee().state();
    this.drainer = new Drainer(api, cluster.time(), this::power, _ -> {});
  }

  /** Creates what runs in the cluster. */
  void begin() {
    for (FuzzWorkload.Wanted wanted : cluster.workload().objects()) {
      if (api.create(wanted.resource(), wanted.object()) instanceof ApiResult.Failure failure) {
        throw new IllegalStateException(wanted.object() + ": " + failure.message());
      }
    }
  }

  void perform(FuzzAction action) {
    switch (action) {
      case FuzzAction.Scale(String workload, int replicas) ->
          patch(workload, JsonObject.of("spec", JsonObject.of("replicas", (long) replicas)));
      case FuzzAction.Rollout(String workload, int version) ->
          patch(workload, FuzzWorkload.rollout(version));
      case FuzzAction.DeletePod(int place) -> deletePod(place);
      case FuzzAction.CreateJob job -> api.create(Resources.JOBS, FuzzWorkload.job(job));
      case FuzzAction.DeleteJob(int number) ->
          api.delete(
              Resources.JOBS,
              new ObjectName("default", "job-" + number),
              DeleteOptions.NONE.propagation(DeleteOptions.Propagation.BACKGROUND));
      case FuzzAction.Taint taint -> {
        Taint added = Taint.of(taint.key(), taint.effect());
        taint(taint.node(), new TaintChange(List.of(added), List.of()));
        TaintChange removal = new TaintChange(List.of(), List.of(added));
        after(taint.lasts(), () -> taint(taint.node(), removal));
      }
      case FuzzAction.Drain(List<String> nodes, Duration maintenance) ->
          drainer.drain(
              nodes,
              new ScenarioAction.Drain(
                  NodeChoice.ALL,
                  nodes.size(),
                  Optional.of(maintenance),
                  Optional.of(DRAIN_WITHIN)));
      case FuzzAction.Crash(String process, Duration down) -> crash(process, down);
      case FuzzAction.CrashLeader(String role, Duration down) ->
          cluster.leader(role).ifPresent(process -> crash(process, down));
      case FuzzAction.CrashServer(int afterWrites, Duration down) ->
          cluster
              .store()
              .crashAfter(
                  afterWrites,
                  () ->
                      network
                          .loop()
                          .after(
                              Duration.ZERO,
                              () -> {
                                cluster.crashServer();
                                network.loop().after(down, cluster::startServer);
                              }));
      case FuzzAction.Partition(String process, Duration lasts) -> {
        network.cut(process);
        network.loop().after(lasts, () -> network.mend(process));
      }
      case FuzzAction.LoseMessages(String process, Duration lasts) -> {
        network.lose(process, true);
        network.loop().after(lasts, () -> network.lose(process, false));
      }
      case FuzzAction.SlowMessages(String process, Duration atMost, Duration lasts) -> {
        network.slow(process, atMost);
        state.messagesTake(network.longestDelay());
        network.loop().after(lasts, () -> network.slow(process, Duration.ZERO));
      }
      case FuzzAction.LateWatches(String process, Duration atMost, Duration lasts) -> {
        network.late(process, atMost);
        network.loop().after(lasts, () -> network.late(process, Duration.ZERO));
      }
      case FuzzAction.StoreErrors(int oneIn, Duration lasts) -> {
        cluster.store().failOneIn(oneIn);
        network.loop().after(lasts, () -> cluster.store().failOneIn(0));
      }
      case FuzzAction.SlowDisk(Duration atMost, Duration lasts) -> {
        network.slowDisk(atMost);
        state.messagesTake(network.longestDelay());
        network.loop().after(lasts, () -> network.slowDisk(Duration.ZERO));
      }
      case FuzzAction.ClockJump(String process, Duration by) ->
          cluster.setClock(process, cluster.clockOffset(process).plus(by));
      case FuzzAction.SilenceNode(String node, Duration lasts) ->
          annotate(List.of(node), HollowAnnotations.SILENT, "true", lasts);
      case FuzzAction.SilenceZone(String zone, Duration lasts) ->
          annotate(nodesOf(zone), HollowAnnotations.SILENT, "true", lasts);
      case FuzzAction.NotReady(String node, Duration lasts) ->
          annotate(List.of(node), HollowAnnotations.NOT_READY, "KubeletNotReady", lasts);
    }
  }

  /** Ends all faults, and makes nodes as they were. */
  void calmDown() {
    drainer.close();
    cluster.heal();
    for (JsonObject node : List.copyOf(state.all(ClusterState.NODES))) {
      String name = ObjectName.of(node).name();
      untilDone(() -> annotate(name, HollowAnnotations.SILENT, null));
      untilDone(() -> annotate(name, HollowAnnotations.NOT_READY, null));
      List<Taint> own =
          NodeView.read(node).taints().stream()
              .filter(taint -> FuzzWorkload.TAINTS.contains(taint.key()))
              .toList();
      untilDone(() -> taint(name, new TaintChange(List.of(), own)));
      untilDone(
          () -> patchNode(name, JsonObject.of("spec", JsonObject.of("unschedulable", false))));
    }
  }

  private void patch(String workload, JsonObject patch) {
    FuzzWorkload.Set set = cluster.workload().find(workload);
    api.patch(Target.of(set.resource(), set.objectName()), PatchType.STRATEGIC, patch);
  }

  private void deletePod(int place) {
    List<JsonObject> pods = new ArrayList<>(state.all(ClusterState.PODS));
    if (!pods.isEmpty()) {
      api.delete(Resources.PODS, ObjectName.of(pods.get(place % pods.size())));
    }
  }

  private void crash(String process, Duration down) {
    cluster.process(process).kill();
    network.loop().after(down, cluster.process(process)::start);
  }

  private List<String> nodesOf(String zone) {
    return state.all(ClusterState.NODES).stream()
        .map(NodeView::read)
        .filter(node -> node.labels().text(WellKnownLabels.ZONE, "").equals(zone))
        .map(NodeView::name)
        .toList();
  }

  private void annotate(List<String> nodes, String key, String value, Duration lasts) {
    for (String node : nodes) {
      if (annotate(node, key, value)) {
        after(lasts, () -> annotate(node, key, null));
      }
    }
  }

  private boolean annotate(String node, String key, @Nullable String value) {
    JsonObject annotations = JsonObject.of(key, value == null ? JsonNull.NULL : value);
    return patchNode(node, JsonObject.of("metadata", JsonObject.of("annotations", annotations)));
  }

  private void power(String node, boolean on) {
    if (on) {
      untilDone(() -> annotate(node, HollowAnnotations.SILENT, null));
    } else {
      annotate(node, HollowAnnotations.SILENT, "true");
    }
  }

  private boolean taint(String node, TaintChange change) {
    if (!(api.get(Resources.NODES, ObjectName.of(node))
        instanceof ApiResult.Done(JsonObject tree))) {
      return false;
    }
    JsonArray taints = change.applyTo(tree.object("spec").array("taints"), cluster.time().now());
    JsonObject metadata =
        JsonObject.of("resourceVersion", tree.object("metadata").text("resourceVersion", ""));
    return patchNode(
        node, JsonObject.of("spec", JsonObject.of("taints", taints)).with("metadata", metadata));
  }

  private boolean patchNode(String node, JsonObject patch) {
    Target target = Target.of(Resources.NODES, ObjectName.of(node));
    return api.patch(target, PatchType.MERGE, patch).isDone();
  }

  /** Does something later, for as long as it takes until it is done. */
  private void after(Duration delay, BooleanSupplier what) {
    network.loop().after(delay, () -> untilDone(what));
  }

  private void untilDone(BooleanSupplier what) {
    if (!what.getAsBoolean()) {
      after(RETRY, what);
    }
  }

  @Override
  public void close() {
    drainer.close();
  }
}
