package dev.berth.sim.podgc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.podgc.PodGarbageCollector;
import dev.berth.controllers.podgc.PodGarbageCollectorSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** One history of pods and nodes, and of the collector that follows them. */
final class CollectionHistory implements AutoCloseable {
  private static final int NODES = 4;
  private static final int STEPS = 60;
  private static final int MOST_FINISHED = 4;
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  private final VirtualCluster cluster;
  private final RandomGenerator random;
  private final List<FaultyApi> apis = new ArrayList<>();
  private final Garbage garbage;
  private int pods;

  CollectionHistory(long seed) {
    cluster = new VirtualCluster(seed);
    random = cluster.time().random("history");
    garbage = new Garbage(cluster, MOST_FINISHED);
    for (int i = 0; i < NODES; i++) {
      cluster.node(node(i), "4");
    }
    cluster.run("pod-collection", this::controller);
  }

  private AutoCloseable controller() {
    ControllerParts parts = cluster.parts(PodGarbageCollector.ACCOUNT);
    FaultyApi api =
        new FaultyApi(
            new InterceptedApi(parts.api(), this::send),
            cluster.time().random("faults " + apis.size()));
    apis.add(api);
    return PodGarbageCollector.start(
        new ControllerParts(api, parts.time(), parts.metrics(), "test", _ -> {}),
        new PodGarbageCollectorSettings(
            Duration.ofSeconds(20), MOST_FINISHED, Duration.ofSeconds(40)),
        TolerationRules.STANDARD);
  }

  private ApiResult send(ApiRequest request, Api real) {
    if (request instanceof ApiRequest.Delete(Target target, DeleteOptions options)
        && target.resource().equals(Resources.PODS)) {
      garbage.deleted(target, options);
    }
    return real.send(request);
  }

  int collections() {
    return garbage.collections();
  }

  void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
      garbage.look();
      cluster.advance(Duration.ofMillis(random.nextInt(15_000)));
    }
    apis.forEach(FaultyApi::heal);
    cluster.advance(Duration.ofMinutes(5));
    assertThat(garbage.left()).isEmpty();
  }

  private static String node(int index) {
    return "n" + index;
  }

  private void step() {
    String node = node(random.nextInt(NODES));
    switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> create(node);
      case 4 -> anyPod().forEach(pod -> finish(pod, "Succeeded"));
      case 5 -> anyPod().forEach(pod -> finish(pod, "Failed"));
      case 6, 7 -> anyPod().forEach(this::deleteGently);
      case 8 -> {
        if (exists(node)) {
          cluster.delete(Resources.NODES, ObjectName.of(node));
        } else {
          cluster.node(node, "4");
        }
      }
      case 9 -> change(node, random.nextBoolean(), random.nextBoolean());
      case 10, 11 -> change(node, false, true);
      case 12 -> cluster.restart("pod-collection");
      default -> {
        cluster.crash("pod-collection");
        cluster.advance(Duration.ofMillis(random.nextInt(60_000)));
        cluster.restart("pod-collection");
      }
    }
  }

  /** A pod on a node that is there, or on none, perhaps with a toleration or a finalizer. */
  private void create(String node) {
    String name = "p" + pods++;
    boolean isBound = exists(node) && random.nextInt(4) > 0;
    String tolerations =
        random.nextInt(3) == 0
            ? ",'tolerations':[{'key':'" + OUT_OF_SERVICE + "','operator':'Exists'}]"
            : "";
    cluster.pod(
        name,
        "10m",
        "{%s'terminationGracePeriodSeconds':30%s}"
            .formatted(isBound ? "'nodeName':'" + node + "'," : "", tolerations));
    if (!isBound) {
      // Without one, a pod on no node goes when it is deleted.
      cluster.patch(
          Resources.PODS, VirtualCluster.podName(name), "{'metadata':{'finalizers':['a.b/c']}}");
    }
  }

  private boolean exists(String node) {
    return cluster.admin().get(Resources.NODES, ObjectName.of(node)).isDone();
  }

  private void change(String node, boolean ready, boolean outOfService) {
    if (exists(node)) {
      cluster.patchStatus(
          Resources.NODES,
          ObjectName.of(node),
          "{'status':{'conditions':[{'type':'Ready','status':'%s'}]}}"
              .formatted(ready ? "True" : "Unknown"));
      cluster.taint(
          node,
          outOfService
              ? "[{'key':'%s','effect':'%s'}]"
                  .formatted(OUT_OF_SERVICE, random.nextBoolean() ? "NoExecute" : "NoSchedule")
              : "[]");
    }
  }

  private List<JsonObject> anyPod() {
    List<JsonObject> all = cluster.list(Resources.PODS);
    return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
  }

  private void finish(JsonObject pod, String phase) {
    if (Garbage.isFinished(pod)) {
      return;
    }
    garbage.endedByItself(pod);
    cluster.patchStatus(Resources.PODS, ObjectName.of(pod), "{'status':{'phase':'" + phase + "'}}");
  }

  private void deleteGently(JsonObject pod) {
    cluster.admin().delete(Resources.PODS, ObjectName.of(pod), DeleteOptions.NONE);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
