package dev.berth.sim.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.statefulset.StatefulSetController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.history.History;
import dev.berth.sim.kubelet.TestKubelet;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whatever happens to nodes, pods, templates and controllers, no two pods of one name ever run at
 * once, and in the end all pods of the set are there, of the latest template.
 */
class StatefulSetPropertyTest {
  private static final int STEPS = 60;
  private static final ObjectName WEB = new ObjectName("default", "web");

  @SeededTest(
      fixed = 14,
      fresh = 6,
      each = {"OrderedReady", "Parallel"})
  void noTwoPodsOfOneNameEverRun(long seed, String policy) {
    History.run(() -> new Run(seed, policy));
  }

  private static final class Run extends History {
    private final TestKubelet kubelet = closing(TestKubelet.start(cluster.admin(), cluster.time()));
    private final Set<String> silent = new HashSet<>();
    private int image;
    private int replicas = 3;
    private int start;

    Run(long seed, String policy) {
      super(seed, STEPS, Duration.ofMinutes(40));
      cluster.schedule();
      for (int i = 0; i < 4; i++) {
        cluster.node("n" + i, "4");
      }
      cluster.run(
          "stateful-sets", () -> StatefulSetController.start(parts(StatefulSetController.ACCOUNT)));
      cluster.create(
          Resources.STATEFUL_SETS,
          ("{'metadata':{'namespace':'default','name':'web'},'spec':{'replicas':3,'serviceName':'www',"
                  + "'podManagementPolicy':'%s','revisionHistoryLimit':2,"
                  + "'selector':{'matchLabels':{'app':'web'}},"
                  + "'template':{'metadata':{'labels':{'app':'web'}},'spec':{'terminationGracePeriodSeconds':5,"
                  + "'containers':[{'name':'c','image':'i0'}]}}}}")
              .formatted(policy));
      step(4, "silence a node", this::silence);
      step(4, "resume a node", this::resume);
      step(2, "change the image", this::changeImage);
      step(2, "scale", this::scale);
      step(2, "delete a pod", () -> anyPod().ifPresent(this::delete));
      step(2, "a pod fails", () -> anyPod().ifPresent(this::fail));
      crashes(1, "stateful-sets");
      passes(2, Duration.ofSeconds(4));
    }

    @Override
    protected Api between(Api server) {
      return new InterceptedApi(server, this::send);
    }

    /** Checks around each write of the controller what must always be so. */
    private ApiResult send(ApiRequest request, Api real) {
      if (request instanceof ApiRequest.Delete(var target, DeleteOptions options)
          && target.resource().equals(Resources.PODS)) {
        assertThat(options.gracePeriodSeconds()).as("no pod is deleted by force").isEmpty();
        assertThat(options.uid()).isNotEmpty();
      }
      ApiResult result = real.send(request);
      checkInvariant();
      return result;
    }

    @Override
    protected void checkInvariant() {
      assertThat(kubelet.doubles()).isEmpty();
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofSeconds(4)));
    }

    private String anyNode() {
      return "n" + random.nextInt(4);
    }

    private void silence() {
      String node = anyNode();
      kubelet.silence(node);
      silent.add(node);
    }

    private void resume() {
      String node = anyNode();
      kubelet.resume(node);
      silent.remove(node);
    }

    private void changeImage() {
      image = random.nextInt(4);
      patch("{'template':{'spec':{'containers':[{'name':'c','image':'i" + image + "'}]}}}");
    }

    private void scale() {
      replicas = random.nextInt(5);
      start = random.nextInt(2);
      patch("{'replicas':" + replicas + ",'ordinals':{'start':" + start + "}}");
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

    @Override
    protected void calmDown() {
      silent.forEach(kubelet::resume);
    }

    @Override
    protected void checkEnd() {
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
  }
}
