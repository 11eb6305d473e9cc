package dev.berth.sim.tainteviction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One history of a cluster in which nearly everything goes wrong, until all is calm. */
final class EvictionHistory implements AutoCloseable {
  private static final int STEPS = 60;

  /** Steps before the end after which nobody crashes: a restart would mend what was forgotten. */
  private static final int LAST_STEPS = 15;

  private static final int CALM_SECONDS = 100;
  private static final int NODES = 3;
  private static final int NAMES = 20;
  private static final List<String> KEYS = List.of("a", "b", "c");

  private final VirtualCluster cluster;
  private final Random random;
  private final Loop chaos;
  private final List<ApiWatch> watches = new ArrayList<>();
  private final List<FaultyApi> faulty = new ArrayList<>();
  private final List<TaintEviction> running = new ArrayList<>();
  private final StringBuilder history = new StringBuilder();

  /** How many requests a controller lives for, more or less. */
  private final int lifetime;

  private boolean immortal;
  private boolean calm;
  private int evictions;

  EvictionHistory(long seed) {
    cluster = new VirtualCluster(seed);
    random = new Random(seed);
    lifetime = 10 << random.nextInt(8);
    chaos = cluster.time().start("chaos");
    write(Resources.NODES);
    write(Resources.PODS);
    for (int i = 0; i < NODES; i++) {
      cluster.node("node" + i, "100");
    }
    start();
  }

  /** Writes down what happens to the objects of a resource. */
  private void write(GroupVersionResource resource) {
    List<ApiWatch> own = new ArrayList<>();
    ApiWatch watch =
        cluster
            .admin()
            .watch(
                ListRequest.of(resource).watchAfter(cluster.revision()),
                () -> own.forEach(this::write));
    own.add(watch);
    watches.add(watch);
    write(watch);
  }

  private void write(ApiWatch watch) {
    while (watch.poll(100) instanceof ApiWatch.Poll.Events(List<ApiWatch.Event> events, var _)
        && !events.isEmpty()) {
      for (ApiWatch.Event event : events) {
        history
            .append(cluster.time().now())
            .append(event.change())
            .append(event.object())
            .append('\n');
      }
    }
  }

  private void start() {
    List<TaintEviction> self = new ArrayList<>();
    TaintEviction controller =
        EvictionCluster.start(
            cluster,
            api -> {
              Witness witness = new Witness(cluster, api, () -> evictions++);
              FaultyApi server =
                  new FaultyApi(mortal(witness, self), new Random(random.nextLong()));
              faulty.add(server);
              if (calm) {
                server.heal();
              }
              return server;
            });
    self.add(controller);
    running.add(controller);
  }

  /** Somebody who now and then does not live to see what became of a request, or sends none. */
  private Api mortal(Api real, List<TaintEviction> self) {
    return new InterceptedApi(
        real,
        (ApiRequest request, Api server) -> {
          boolean dies = !immortal && random.nextInt(lifetime) == 0;
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

  String run() {
    for (int i = 0; i < STEPS; i++) {
      immortal = i >= STEPS - LAST_STEPS;
      step();
    }
    calmDown();
    return "%x of %d evictions in %d characters"
        .formatted(history.toString().hashCode(), evictions, history.length());
  }

  private void step() {
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> pod();
      case 3, 4, 5 -> taint();
      case 6 -> cluster.taint(someNode(), "null");
      case 7, 8 -> somePods().forEach(this::editTolerations);
      case 9 -> somePods().forEach(pod -> status(pod, "{'status':{'message':'%d'}}"));
      case 10 -> somePods().forEach(pod -> delete(pod, DeleteOptions.NONE.grace(0)));
      case 11 -> crash();
      case 12 -> {
        somePods().stream()
            .limit(1)
            .forEach(pod -> status(pod, "{'status':{'phase':'Succeeded'}}"));
        recreate(someNode());
      }
      default -> cluster.advance(Duration.ofMillis(random.nextInt(20_000)));
    }
    if (random.nextInt(3) == 0) {
      cluster.settle();
    }
  }

  /** At an instant of its own, and so between any two tasks of the controller. */
  private void crash() {
    if (immortal) {
      return;
    }
    if (random.nextBoolean()) {
      chaos.after(Duration.ofMillis(random.nextInt(3_000)), this::start);
    }
    chaos.after(
        Duration.ofMillis(random.nextInt(3_000)),
        () -> {
          if (!running.isEmpty() && !immortal) {
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

  private void status(JsonObject pod, String patch) {
    cluster
        .admin()
        .patch(
            Target.of(Resources.PODS, ObjectName.of(pod)).subresource("status"),
            PatchType.MERGE,
            VirtualCluster.tree(patch.replace("%d", Integer.toString(random.nextInt(1_000_000)))));
  }

  private void delete(JsonObject pod, DeleteOptions options) {
    cluster.admin().delete(Resources.PODS, ObjectName.of(pod), options);
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

  /** The server answers, nobody crashes; soon each pod leaves at its second. */
  private void calmDown() {
    calm = true;
    faulty.forEach(FaultyApi::heal);
    if (running.isEmpty()) {
      start();
    }
    cluster.advance(Duration.ofMinutes(3));
    check();
    for (int i = 0; i < CALM_SECONDS; i++) {
      switch (random.nextInt(8)) {
        case 0 -> pod();
        case 1 -> taint();
        case 2 -> somePods().forEach(this::editTolerations);
        case 3 -> recreate(someNode());
        default -> {}
      }
      cluster.settle();
      check();
      cluster.advance(Duration.ofSeconds(1));
      check();
    }
  }

  private void check() {
    Instant now = cluster.time().now();
    List<JsonObject> pods = cluster.list(Resources.PODS);
    for (JsonObject node : cluster.list(Resources.NODES)) {
      String name = ObjectName.of(node).name();
      for (JsonObject pod : pods) {
        if (pod.object("spec").text("nodeName", "").equals(name)) {
          assertThat(SlowEvictionTime.of(pod, node))
              .as("seed %d, %s: the pod should have left: %s", cluster.time().seed(), now, pod)
              .isAfter(now);
        }
      }
    }
  }

  int evictions() {
    return evictions;
  }

  @Override
  public void close() {
    running.forEach(TaintEviction::close);
    watches.forEach(ApiWatch::close);
    cluster.close();
  }
}
