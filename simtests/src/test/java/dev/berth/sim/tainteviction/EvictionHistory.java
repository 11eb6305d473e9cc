package dev.berth.sim.tainteviction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.history.History;
import dev.berth.sim.history.Occurrences;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One history of taint eviction: controllers die in the midst of requests, and sometimes two run at
 * once, while pods, tolerations, nodes and taints change.
 */
final class EvictionHistory extends History {
  private static final int STEPS = 60;

  /** Steps before the end after which nobody crashes: a restart would mend what was forgotten. */
  private static final int LAST_STEPS = 15;

  private static final int CALM_SECONDS = 100;

  /** By how much a toleration may last longer after a restart. */
  private static final Duration ROUNDING = Duration.ofSeconds(1);

  private static final int NODES = 3;
  private static final int NAMES = 20;
  private static final List<String> KEYS = List.of("a", "b", "c");

  private final Loop chaos = cluster.time().start("chaos");
  private final List<TaintEviction> running = new ArrayList<>();

  /** How many requests a controller lives for, more or less. */
  private final int lifetime = 10 << random.nextInt(8);

  private final Beginnings beginnings = new Beginnings();
  private final Occurrences total;
  private int evictions;

  EvictionHistory(long seed, Occurrences total) {
    super(seed, STEPS, Duration.ofMinutes(3));
    this.total = total;
    record(Resources.NODES);
    record(Resources.PODS);
    watch(Resources.NODES, event -> beginnings.node(event.object(), cluster.time().now()));
    watch(Resources.PODS, event -> beginnings.pod(event.object(), cluster.time().now()));
    for (int i = 0; i < NODES; i++) {
      cluster.node("node" + i, "100");
    }
    closing(() -> running.forEach(TaintEviction::close));
    start();
    step(3, "create pods", this::pod);
    step(3, "taint a node", this::taint);
    step(1, "untaint a node", () -> cluster.taint(someNode(), "null"));
    step(2, "edit tolerations", () -> somePods().forEach(this::editTolerations));
    step(1, "pods change", () -> somePods().forEach(this::touch));
    step(1, "force-delete pods", () -> somePods().forEach(this::forceDelete));
    step(1, "crash", this::crash);
    step(1, "a pod ends, or a node is replaced", this::finishOrReplace);
    passes(3, Duration.ofSeconds(20));
  }

  private void start() {
    List<TaintEviction> self = new ArrayList<>();
    TaintEviction controller =
        EvictionCluster.start(
            cluster,
            api -> {
              EvictionChecker checker =
                  new EvictionChecker(cluster, api, beginnings, () -> evictions++);
              return unreliable(mortal(checker, self));
            });
    self.add(controller);
    running.add(controller);
  }

  private boolean mayCrash() {
    return stepsLeft() > LAST_STEPS;
  }

  /** Somebody who now and then does not live to see what became of a request, or sends none. */
  private Api mortal(Api real, List<TaintEviction> self) {
    return new InterceptedApi(
        real,
        (ApiRequest request, Api server) -> {
          boolean dies = mayCrash() && random.nextInt(lifetime) == 0;
          if (dies && random.nextBoolean()) {
            die(self.getFirst());
            return new ApiResult.Unreachable("dead");
          }
          ApiResult result = server.send(request);
          if (dies) {
            die(self.getFirst());
          }
          return result;
        });
  }

  private void die(TaintEviction controller) {
    controller.close();
    if (running.remove(controller)) {
      chaos.after(Duration.ofMillis(random.nextInt(5_000)), this::start);
    }
  }

  private void finishOrReplace() {
    somePods().stream().limit(1).forEach(pod -> status(pod, "'phase':'Succeeded'"));
    recreate(someNode());
  }

  private void touch(JsonObject pod) {
    status(pod, "'message':'" + random.nextInt(1_000_000) + "'");
  }

  /** At an instant of its own, and so between any two tasks of the controller. */
  private void crash() {
    if (!mayCrash()) {
      return;
    }
    if (random.nextBoolean()) {
      chaos.after(Duration.ofMillis(random.nextInt(3_000)), this::start);
    }
    chaos.after(
        Duration.ofMillis(random.nextInt(3_000)),
        () -> {
          if (!running.isEmpty() && mayCrash()) {
            die(running.getFirst());
          }
        });
  }

  private String someNode() {
    return "node" + random.nextInt(NODES);
  }

  private String someKey() {
    return KEYS.get(random.nextInt(KEYS.size()));
  }

  private List<JsonObject> somePods() {
    List<JsonObject> all = cluster.list(Resources.PODS);
    return all.stream().filter(_ -> random.nextInt(4) == 0).toList();
  }

  private void pod() {
    for (int i = random.nextInt(8); i >= 0; i--) {
      String name = "pod" + random.nextInt(NAMES);
      if (!cluster.exists(name)) {
        List<String> tolerations = new ArrayList<>();
        for (int j = random.nextInt(3); j > 0; j--) {
          tolerations.add(toleration());
        }
        cluster.pod(
            name,
            "1m",
            "{'nodeName':'%s','terminationGracePeriodSeconds':%d,'tolerations':[%s]}"
                .formatted(
                    someNode(), random.nextBoolean() ? 0 : 30, String.join(",", tolerations)));
      }
    }
  }

  private String toleration() {
    String seconds = random.nextInt(3) == 0 ? "" : ",'tolerationSeconds':" + random.nextInt(90);
    return switch (random.nextInt(6)) {
      case 0 -> "{'operator':'Exists','effect':'NoExecute'%s}".formatted(seconds);
      case 1 ->
          "{'key':'%s','operator':'Exists','effect':'NoExecute'%s}".formatted(someKey(), seconds);
      default ->
          "{'key':'%s','operator':'Equal','value':'%d','effect':'NoExecute'%s}"
              .formatted(someKey(), random.nextInt(2), seconds);
    };
  }

  private void taint() {
    List<String> taints = new ArrayList<>();
    for (String key : KEYS) {
      if (random.nextInt(3) == 0) {
        taints.add(
            "{'key':'%s','value':'%d','effect':'%s'}"
                .formatted(
                    key, random.nextInt(2), random.nextInt(4) == 0 ? "NoSchedule" : "NoExecute"));
      }
    }
    cluster.taint(someNode(), "[" + String.join(",", taints) + "]");
  }

  private void editTolerations(JsonObject pod) {
    List<Object> edited = new ArrayList<>();
    for (JsonObject old : pod.object("spec").array("tolerations").objects()) {
      boolean changes = old.text("effect", "").equals("NoExecute") && random.nextBoolean();
      edited.add(changes ? old.with("tolerationSeconds", (long) random.nextInt(90)) : old);
    }
    if (random.nextInt(3) == 0) {
      edited.add(VirtualCluster.tree(toleration()));
    }
    JsonObject spec = JsonObject.of("tolerations", JsonArray.copyOf(edited));
    // A pod that is gone, and what may not be edited, is refused; that does no harm.
    cluster
        .admin()
        .patch(
            Target.of(Resources.PODS, ObjectName.of(pod)),
            PatchType.MERGE,
            JsonObject.of("spec", spec));
  }

  private void status(JsonObject pod, String field) {
    cluster
        .admin()
        .patch(
            Target.of(Resources.PODS, ObjectName.of(pod)).subresource("status"),
            PatchType.MERGE,
            VirtualCluster.tree("{'status':{" + field + "}}"));
  }

  private void forceDelete(JsonObject pod) {
    cluster.admin().delete(Resources.PODS, ObjectName.of(pod), DeleteOptions.NONE.grace(0));
  }

  private void recreate(String node) {
    if (random.nextBoolean()) {
      cluster.delete(Resources.NODES, ObjectName.of(node));
      if (random.nextBoolean()) {
        cluster.settle();
      }
      cluster.node(node, "100");
    }
  }

  @Override
  protected void calmDown() {
    if (running.isEmpty()) {
      start();
    }
  }

  /** Each pod leaves at its second, or a second later if somebody else saw the taint come. */
  @Override
  protected void checkEnd() {
    total.add(evictions);
    checkAllLeft();
    for (int i = 0; i < CALM_SECONDS; i++) {
      switch (random.nextInt(8)) {
        case 0 -> pod();
        case 1 -> taint();
        case 2 -> somePods().forEach(this::editTolerations);
        case 3 -> recreate(someNode());
        default -> {}
      }
      cluster.settle();
      checkAllLeft();
      cluster.advance(Duration.ofSeconds(1));
      checkAllLeft();
    }
  }

  private void checkAllLeft() {
    Instant now = cluster.time().now();
    List<JsonObject> pods = cluster.list(Resources.PODS);
    for (JsonObject node : cluster.list(Resources.NODES)) {
      String name = ObjectName.of(node).name();
      for (JsonObject pod : pods) {
        if (pod.object("spec").text("nodeName", "").equals(name)) {
          assertThat(ReferenceEvictionTime.of(pod, node, beginnings))
              .as("%s: the pod should have left: %s", now, pod)
              .isAfter(now.minus(ROUNDING));
        }
      }
    }
  }
}
