package dev.berth.sim.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.statefulset.StatefulSets;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.kubelet.TestKubelet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to nodes, pods, templates and controllers, no two pods of one name ever run at
 * once, and in the end all pods of the set are there, of the latest template.
 */
class StatefulSetPropertyTest {
  private static final int SEEDS = 20;
  private static final int STEPS = 60;
  private static final ObjectName WEB = new ObjectName("default", "web");

  @ParameterizedTest
  @ValueSource(strings = {"OrderedReady", "Parallel"})
  void noTwoPodsOfOneNameEverRun(String policy) {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (History history = new History(seed, policy)) {
        history.run();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", " + policy, e);
      }
    }
  }

  private static final class History implements AutoCloseable {
    private final VirtualCluster cluster;
    private final RandomGenerator random;
    private final TestKubelet kubelet;
    private final List<FaultyApi> faulty = new ArrayList<>();
    private final Set<String> silent = new HashSet<>();
    private int image;
    private int replicas = 3;
    private int start;

    History(long seed, String policy) {
      cluster = new VirtualCluster(seed);
      random = cluster.time().random("history");
      kubelet = TestKubelet.start(cluster.admin(), cluster.time());
      cluster.schedule();
      for (int i = 0; i < 4; i++) {
        cluster.node("n" + i, "4");
      }
      cluster.run("stateful-sets", this::controller);
      cluster.create(
          Resources.STATEFUL_SETS,
          ("{'metadata':{'namespace':'default','name':'web'},'spec':{'replicas':3,'serviceName':'www',"
                  + "'podManagementPolicy':'%s','revisionHistoryLimit':2,"
                  + "'selector':{'matchLabels':{'app':'web'}},"
                  + "'template':{'metadata':{'labels':{'app':'web'}},'spec':{'terminationGracePeriodSeconds':5,"
                  + "'containers':[{'name':'c','image':'i0'}]}}}}")
              .formatted(policy));
    }

    private AutoCloseable controller() {
      ControllerParts parts = cluster.parts(StatefulSets.ACCOUNT);
      FaultyApi api =
          new FaultyApi(
              new InterceptedApi(parts.api(), this::send),
              cluster.time().random("faults " + faulty.size()));
      faulty.add(api);
      return StatefulSets.start(
          new ControllerParts(api, parts.time(), parts.metrics(), "test", parts.warnings()));
    }

    /** Checks around each write of the controller what must always be so. */
    private ApiResult send(ApiRequest request, Api real) {
      if (request instanceof ApiRequest.Delete(var target, DeleteOptions options)
          && target.resource().equals(Resources.PODS)) {
        assertThat(options.gracePeriodSeconds()).as("no pod is deleted by force").isEmpty();
        assertThat(options.uid()).isNotEmpty();
      }
      ApiResult result = real.send(request);
      invariant();
      return result;
    }

    private void invariant() {
      assertThat(kubelet.doubles()).isEmpty();
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        cluster.advance(Duration.ofMillis(random.nextInt(4_000)));
        invariant();
      }
      faulty.forEach(FaultyApi::heal);
      silent.forEach(kubelet::resume);
      cluster.advance(Duration.ofMinutes(40));
      check();
    }

    private void step() {
      String node = "n" + random.nextInt(4);
      switch (random.nextInt(10)) {
        case 0, 1 -> {
          kubelet.silence(node);
          silent.add(node);
        }
        case 2, 3 -> {
          kubelet.resume(node);
          silent.remove(node);
        }
        case 4 -> {
          image = random.nextInt(4);
          patch("{'template':{'spec':{'containers':[{'name':'c','image':'i" + image + "'}]}}}");
        }
        case 5 -> {
          replicas = random.nextInt(5);
          start = random.nextInt(2);
          patch("{'replicas':" + replicas + ",'ordinals':{'start':" + start + "}}");
        }
        case 6 -> anyPod().forEach(this::delete);
        case 7 -> anyPod().forEach(this::fail);
        case 8 -> cluster.restart("stateful-sets");
        default -> {}
      }
    }

    private void patch(String spec) {
      cluster.patch(Resources.STATEFUL_SETS, WEB, "{'spec':" + spec + "}");
    }

    private void delete(JsonObject pod) {
      ApiResult result = cluster.admin().delete(Resources.PODS, ObjectName.of(pod));
      assertThat(result.isDone()).isTrue();
    }

    /** Only an agent that is there can tell that a pod has ended. */
    private void fail(JsonObject pod) {
      if (!silent.contains(pod.object("spec").text("nodeName", ""))) {
        cluster.patchStatus(Resources.PODS, ObjectName.of(pod), "{'status':{'phase':'Failed'}}");
      }
    }

    private List<JsonObject> anyPod() {
      List<JsonObject> pods = cluster.list(Resources.PODS);
      return pods.isEmpty() ? List.of() : List.of(pods.get(random.nextInt(pods.size())));
    }

    private void check() {
      invariant();
      List<String> found =
          cluster.list(Resources.PODS).stream()
              .map(pod ->
                  Metadata.of(pod).name()
                      + " "
                      + pod.object("spec")
                          .array("containers")
                          .objects()
                          .getFirst()
                          .text("image", "")
                      + (Metadata.of(pod).isBeingDeleted() ? " going" : ""))
              .sorted()
              .toList();
      List<String> expected = new ArrayList<>();
      for (int i = start; i < start + replicas; i++) {
        expected.add("web-" + i + " i" + image);
      }
      assertThat(found).isEqualTo(expected);
      JsonObject status = cluster.list(Resources.STATEFUL_SETS).getFirst().object("status");
      for (String field : List.of("replicas", "readyReplicas", "updatedReplicas")) {
        assertThat(status.integer(field).orElse(0)).as(field).isEqualTo(replicas);
      }
    }

    @Override
    public void close() {
      kubelet.close();
      cluster.close();
    }
  }
}
