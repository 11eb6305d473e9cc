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
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.history.History;
import dev.berth.sim.history.Occurrences;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/**
 * Pod collection against a server that loses requests and answers, refuses, and whose watches end
 * and repeat themselves; the controller crashes, and meanwhile pods and nodes come, go and change
 * at random. No pod is collected that should stay; when all is calm, none stays that should go; and
 * who is collected says first how it ended, and why.
 */
class PodGarbageCollectorFaultsTest {
  private static final Occurrences COLLECTIONS = new Occurrences("collections");
  private static final int NODES = 4;
  private static final int STEPS = 60;
  private static final int MOST_FINISHED = 4;
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
  private static final PodGarbageCollectorSettings SETTINGS =
      new PodGarbageCollectorSettings(
          Duration.ofSeconds(20), MOST_FINISHED, Duration.ofSeconds(40), true);

  @AfterAll
  static void somethingWasShown() {
    COLLECTIONS.assertSome();
  }

  @SeededTest(fixed = 70, fresh = 30)
  void garbageGoesAndNothingElseDoes(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final ExpectedGarbage garbage = new ExpectedGarbage(cluster, MOST_FINISHED);
    private int pods;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(5));
      for (int i = 0; i < NODES; i++) {
        cluster.node("n" + i, "4");
      }
      cluster.run(
          "pod-gc",
          () ->
              PodGarbageCollector.start(
                  parts(PodGarbageCollector.ACCOUNT), SETTINGS, TolerationRules.STANDARD));
      step(4, "create a pod", () -> create(anyNode()));
      step(1, "a pod succeeds", () -> anyPod().ifPresent(pod -> finish(pod, "Succeeded")));
      step(1, "a pod fails", () -> anyPod().ifPresent(pod -> finish(pod, "Failed")));
      step(2, "delete a pod", () -> anyPod().ifPresent(this::deleteGently));
      step(1, "delete or create a node", () -> deleteOrCreate(anyNode()));
      step(1, "change a node", () -> change(anyNode(), random.nextBoolean(), random.nextBoolean()));
      step(2, "take a node out of service", () -> change(anyNode(), false, true));
      crashes(1, "pod-gc");
    }

    @Override
    protected Api between(Api server) {
      return new InterceptedApi(server, this::send);
    }

    private ApiResult send(ApiRequest request, Api real) {
      if (request instanceof ApiRequest.Delete(Target target, DeleteOptions options)
          && target.resource().equals(Resources.PODS)) {
        garbage.deleted(target, options);
      }
      return real.send(request);
    }

    private String anyNode() {
      return "n" + random.nextInt(NODES);
    }

    private void deleteOrCreate(String node) {
      if (exists(node)) {
        cluster.delete(Resources.NODES, ObjectName.of(node));
      } else {
        cluster.node(node, "4");
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
        // The controller may see the node as it is between the two writes.
        garbage.observe();
        cluster.taint(
            node,
            outOfService
                ? "[{'key':'%s','effect':'%s'}]"
                    .formatted(OUT_OF_SERVICE, random.nextBoolean() ? "NoExecute" : "NoSchedule")
                : "[]");
      }
    }

    private void finish(JsonObject pod, String phase) {
      if (ExpectedGarbage.isFinished(pod)) {
        return;
      }
      garbage.endedByItself(pod);
      cluster.patchStatus(
          Resources.PODS, ObjectName.of(pod), "{'status':{'phase':'" + phase + "'}}");
    }

    private void deleteGently(JsonObject pod) {
      cluster.admin().delete(Resources.PODS, ObjectName.of(pod), DeleteOptions.NONE);
    }

    @Override
    protected void pause() {
      garbage.observe();
      cluster.advance(upTo(Duration.ofSeconds(15)));
    }

    @Override
    protected void checkEnd() {
      assertThat(garbage.left()).isEmpty();
      COLLECTIONS.add(garbage.collections());
    }
  }
}
