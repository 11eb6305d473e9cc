package dev.berth.sim.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Zone;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.RespectedBudgets;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import dev.berth.sim.history.Occurrences;
import dev.berth.sim.snapshot.ClusterSnapshot;
import dev.berth.sim.snapshot.SnapshotReader;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;

/**
 * Random small clusters, of which something is forecast that is then done to them: pods leave when
 * it was said, those stay of whom it was said, and workloads lose as much as it was said.
 */
class ForecastsComeTrueTest {
  private static final Duration HORIZON = Duration.ofMinutes(15);
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final Occurrences LEAVING = new Occurrences("pods that leave");
  private static final Occurrences LATER = new Occurrences("pods that leave later");

  /** Of a workload: a daemon set has one on each node. */
  private static final int MOST_PODS = 6;

  /** Times are written in whole seconds. */
  private static final double WRITTEN = 1.1;

  @SeededTest(fixed = 60, fresh = 20)
  void whatIsForecastHappens(long seed) {
    HollowSettings nodes = HollowSettings.of(6).zones("a", "b", "c");
    try (WholeCluster cluster = new WholeCluster(seed, nodes)) {
      new Run(cluster, cluster.cluster().time().random("forecast test")).run();
    }
  }

  @AfterAll
  static void somethingHappened() {
    LEAVING.assertSome();
    LATER.assertSome();
  }

  private static final class Run {
    private final WholeCluster whole;
    private final VirtualCluster cluster;
    private final RandomGenerator random;
    private int names;

    Run(WholeCluster whole, RandomGenerator random) {
      this.whole = whole;
      this.cluster = whole.cluster();
      this.random = random;
    }

    void run() {
      whole.advance(Duration.ofSeconds(20));
      // Where taints ask the budgets, who goes first of those that may is chance; so none may.
      boolean asksBudgets = random.nextInt(4) == 0;
      for (int i = 2 + random.nextInt(4); i > 0; i--) {
        workload(asksBudgets);
      }
      if (asksBudgets) {
        cluster.list(Resources.NODES).forEach(node -> askBudgets(ObjectName.of(node)));
      }
      whole.advance(Duration.ofSeconds(60 + random.nextInt(10)));
      Instant begin = cluster.time().now();
      ClusterSnapshot snapshot = SnapshotReader.read(cluster.admin(), begin);
      List<String> all = snapshot.list("nodes").stream().map(n -> ObjectName.of(n).name()).toList();
      ForecastAction action = action(all);
      JsonObject forecast =
          Forecast.of(
              snapshot,
              action,
              new ForecastSettings(
                  NodeLifecycleSettings.DEFAULT,
                  ConfigurationReader.defaults(),
                  Duration.ofMillis(500),
                  Optional.of(Duration.ofMillis(200)),
                  HORIZON),
              cluster.time().random("forecast"));
      try (WhatHappened happened = new WhatHappened(cluster)) {
        carryOut(action, happened);
        compare(snapshot, action, forecast, happened, begin);
      }
    }

    private ForecastAction action(List<String> all) {
      List<String> some = new ArrayList<>();
      all.forEach(node -> {
        if (random.nextInt(3) == 0) {
          some.add(node);
        }
      });
      if (some.isEmpty()) {
        some.add(all.getFirst());
      }
      return switch (random.nextInt(5)) {
        case 0, 1 -> new ForecastAction.AddTaint(some, Taint.of("broken", TaintEffect.NO_EXECUTE));
        case 2 -> new ForecastAction.Cordon(some);
        case 3 -> new ForecastAction.Drain(some.subList(0, 1));
        default -> new ForecastAction.Lose(some);
      };
    }

    private void askBudgets(ObjectName node) {
      cluster.patch(
          Resources.NODES,
          node,
          "{'metadata':{'annotations':{'%s':'*;deadline=100s'}}}"
              .formatted(RespectedBudgets.ANNOTATION));
    }

    private void workload(boolean needsAll) {
      String name = "w" + names++;
      String spec =
          "{'tolerations':[%s],'terminationGracePeriodSeconds':%d,'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'%s'}}}]}"
              .formatted(
                  one(
                      "",
                      "{'key':'broken','operator':'Exists'}",
                      "{'key':'broken','operator':'Exists','effect':'NoExecute','tolerationSeconds':45}",
                      "{'key':'node.kubernetes.io/unreachable','operator':'Exists','effect':'NoExecute','tolerationSeconds':60}"),
                  1 + random.nextInt(30),
                  one("100m", "1", "1"));
      String template = "{'metadata':{'labels':{'app':'%s'}},'spec':%s}".formatted(name, spec);
      String selector = "{'matchLabels':{'app':'%s'}}".formatted(name);
      int replicas = 1 + random.nextInt(5);
      switch (random.nextInt(5)) {
        case 0 ->
            cluster.create(
                Resources.STATEFUL_SETS,
                "{'metadata':{'namespace':'default','name':'%s'},'spec':{'serviceName':'%s','podManagementPolicy':'Parallel','replicas':%d,'selector':%s,'template':%s}}"
                    .formatted(name, name, replicas, selector, template));
        case 1 ->
            cluster.create(
                Resources.DAEMON_SETS,
                "{'metadata':{'namespace':'default','name':'%s'},'spec':{'selector':%s,'template':%s}}"
                    .formatted(name, selector, template));
        case 2 -> {
          for (int i = 0; i < replicas; i++) {
            cluster.create(
                Resources.PODS,
                "{'metadata':{'namespace':'default','name':'%s-%d','labels':{'app':'%s'}},'spec':%s}"
                    .formatted(name, i, name, spec));
          }
        }
        default ->
            cluster.create(
                Resources.DEPLOYMENTS,
                "{'metadata':{'namespace':'default','name':'%s'},'spec':{'replicas':%d,'selector':%s,'template':%s}}"
                    .formatted(name, replicas, selector, template));
      }
      if (random.nextInt(3) == 0) {
        cluster.create(
            Resources.POD_DISRUPTION_BUDGETS,
            "{'metadata':{'namespace':'default','name':'%s'},'spec':{'minAvailable':%d,'selector':%s}}"
                .formatted(
                    name,
                    needsAll ? MOST_PODS : Math.max(1, replicas - random.nextInt(2)),
                    selector));
      }
    }

    private String one(String... choices) {
      return choices[random.nextInt(choices.length)];
    }

    private void carryOut(ForecastAction action, WhatHappened happened) {
      switch (action) {
        case ForecastAction.AddTaint(List<String> nodes, Taint taint) ->
            nodes.forEach(node -> whole.taint(node, taint.key()));
        case ForecastAction.Cordon(List<String> nodes) -> nodes.forEach(this::cordon);
        case ForecastAction.Drain(List<String> nodes) -> nodes.forEach(this::cordon);
        case ForecastAction.Lose(List<String> nodes) -> nodes.forEach(whole::silence);
      }
      for (Duration passed = Duration.ZERO;
          passed.compareTo(HORIZON) < 0;
          passed = passed.plus(STEP)) {
        if (action instanceof ForecastAction.Drain(List<String> nodes)) {
          nodes.forEach(this::evictAll);
        }
        whole.advance(STEP);
        happened.look();
      }
    }

    private void cordon(String node) {
      cluster.patch(Resources.NODES, ObjectName.of(node), "{'spec':{'unschedulable':true}}");
    }

    /** What {@code kubectl drain} asks for, once. */
    private void evictAll(String node) {
      for (JsonObject tree : cluster.list(Resources.PODS)) {
        PodTree pod = new PodTree(tree);
        boolean ofDaemon =
            pod.metadata().controller().filter(o -> o.kind().equals("DaemonSet")).isPresent();
        if (pod.nodeName().equals(node) && !pod.terminating() && !ofDaemon) {
          cluster
              .admin()
              .create(
                  Target.of(Resources.PODS, pod.name()).subresource("eviction"),
                  VirtualCluster.tree(
                      "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'namespace':'%s','name':'%s'}}"
                          .formatted(pod.name().namespace(), pod.name().name())));
        }
      }
    }

    private void compare(
        ClusterSnapshot snapshot,
        ForecastAction action,
        JsonObject forecast,
        WhatHappened happened,
        Instant begin) {
      boolean loses = action instanceof ForecastAction.Lose;
      double tolerance =
          WRITTEN + (loses ? NodeLifecycleSettings.DEFAULT.monitorPeriod().toSeconds() : 0);
      Map<String, JsonObject> leaving = new HashMap<>();
      forecast.array("leaving").objects().forEach(pod -> leaving.put(pod.text("pod", ""), pod));
      forecast.array("others").objects().forEach(pod -> leaving.put(pod.text("pod", ""), pod));
      for (JsonObject tree : snapshot.list("pods")) {
        PodTree pod = new PodTree(tree);
        String name = pod.name().toString();
        Instant left = happened.left(pod.uid());
        JsonObject said = leaving.get(name);
        if (said == null) {
          assertThat(left).as("%s: %s was to stay", action, name).isEqualTo(Instant.MAX);
        } else {
          assertThat(left).as("%s: %s was to leave: %s", action, name, said).isBefore(Instant.MAX);
          assertThat(Duration.between(begin, left).toMillis() / 1000.0)
              .as("%s: when %s leaves: %s", action, name, said)
              .isCloseTo(seconds(said, "at"), within(tolerance + swaps(snapshot, forecast, said)));
          LEAVING.add(1);
          LATER.add(seconds(said, "at") > 1 ? 1 : 0);
        }
      }
      assertThat(happened.pending())
          .as("%s: who waits in the end", action)
          .hasSize((int) forecast.integer("pending").orElse(-1));
      for (JsonObject workload : forecast.array("workloads").objects()) {
        controllerOf(snapshot, workload.text("workload", ""))
            .ifPresent(controller ->
                assertThat(happened.fewestReady(controller))
                    .as("%s: %s", action, workload)
                    .isEqualTo((int) workload.integer("lowest").orElse(-1)));
      }
    }

    /**
     * Nodes of a zone that are lost in the same pass over all nodes are emptied in whatever order
     * that pass has: each may have to wait for the others.
     */
    private static double swaps(ClusterSnapshot snapshot, JsonObject forecast, JsonObject pod) {
      Map<String, Double> lost = new HashMap<>();
      forecast
          .array("losses")
          .objects()
          .forEach(node -> lost.put(node.text("node", ""), seconds(node, "lost")));
      Map<String, Zone> zones = new HashMap<>();
      snapshot
          .list("nodes")
          .forEach(node -> zones.put(ObjectName.of(node).name(), NodeView.read(node).zone()));
      String own = pod.text("node", "");
      double period = NodeLifecycleSettings.DEFAULT.monitorPeriod().toSeconds();
      Zone zone = zones.getOrDefault(own, Zone.NONE);
      double at = lost.getOrDefault(own, 0.0);
      long others =
          lost.entrySet().stream()
              .filter(node -> !node.getKey().equals(own))
              .filter(node -> zone.equals(zones.get(node.getKey())))
              .filter(node -> Math.abs(node.getValue() - at) <= period)
              .count();
      return (double) others / NodeLifecycleSettings.DEFAULT.zones().nodesPerSecond();
    }

    /** The name of what the pods of a workload name as their controller. */
    private static Optional<String> controllerOf(ClusterSnapshot snapshot, String workload) {
      String[] words = workload.split("[ /]", -1);
      return switch (words[0]) {
        case "Deployment" ->
            snapshot.list("replicasets.apps").stream()
                .filter(set ->
                    Metadata.of(set)
                        .controller()
                        .map(OwnerReference::name)
                        .filter(words[2]::equals)
                        .isPresent())
                .map(set -> ObjectName.of(set).name())
                .findFirst();
        case "StatefulSet", "DaemonSet" -> Optional.of(words[2]);
        default -> Optional.empty();
      };
    }

    private static double seconds(JsonObject object, String field) {
      return object.get(field) instanceof JsonNumber number
          ? number.approximate()
          : object.integer(field).orElse(-1);
    }
  }
}
