package dev.berth.sim.explain;

import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.RespectedBudgets;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.scheduler.whatif.WhatIfScheduler;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A snapshot, and a scheduler that knows it. */
public final class ExplainedCluster {
  static final String PODS = "pods";
  static final String NODES = "nodes";

  private final ClusterSnapshot snapshot;
  private final SchedulerConfiguration configuration;
  private final WhatIfScheduler scheduler;

  /**
   * @param random chooses among nodes that are equally good
   */
  public ExplainedCluster(
      ClusterSnapshot snapshot, SchedulerConfiguration configuration, RandomGenerator random) {
    this.snapshot = snapshot;
    this.configuration = configuration;
    this.scheduler = new WhatIfScheduler(configuration, random);
    for (String resource : snapshot.resources()) {
      snapshot.list(resource).forEach(object -> scheduler.put(resource, object));
    }
  }

  public ClusterSnapshot snapshot() {
    return snapshot;
  }

  public WhatIfScheduler scheduler() {
    return scheduler;
  }

  TolerationRules tolerations() {
    return configuration.gates().tolerations();
  }

  Instant now() {
    return snapshot.takenAt();
  }

  Optional<JsonObject> find(String resource, ObjectName name) {
    return snapshot.list(resource).stream()
        .filter(object -> ObjectName.of(object).equals(name))
        .findFirst();
  }

  Optional<NodeView> node(String name) {
    return find(NODES, ObjectName.of(name)).map(NodeView::read);
  }

  /** Which of a node's taints evict within disruption budgets. */
  RespectedBudgets respected(String node) {
    return find(NODES, ObjectName.of(node))
        .map(tree -> RespectedBudgets.ofNode(Metadata.of(tree)))
        .orElse(RespectedBudgets.NONE);
  }

  List<JsonObject> podsOn(String node) {
    return snapshot.list(PODS).stream()
        .filter(pod -> pod.object("spec").text("nodeName", "").equals(node))
        .toList();
  }
}
