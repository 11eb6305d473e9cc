package dev.berth.sim.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.attachdetach.AttachDetachController;
import dev.berth.controllers.attachdetach.AttachDetachSettings;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whatever happens to pods, nodes and the controller, a volume for one node is never attached to
 * two, none is taken from a healthy node that uses it, and in the end everything is attached where
 * it is needed and nowhere else.
 */
class OneNodeAtATimeTest {
  private static final int STEPS = 40;
  private static final int NODES = 4;
  private static final List<String> EXCLUSIVE = List.of("one", "two");
  private static final List<String> VOLUMES = List.of("one", "two", "shared");

  /** A node is healthy once it has been heard of for so long, and the server says so. */
  private static final Duration HEALTHY_AFTER = Duration.ofMinutes(2);

  @SeededTest(fixed = 25, fresh = 15)
  void noVolumeIsAttachedTwiceNorTakenFromAHealthyNode(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final AttachmentFixture volumes = new AttachmentFixture(cluster);
    private final Set<String> silent = new HashSet<>();
    private final Map<String, Instant> heardSince = new HashMap<>();
    private final HollowNodes nodes;
    private int pods;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(15));
      nodes =
          closing(
              HollowNodes.start(
                  new HollowNodes.Parts(
                      unreliable(cluster.admin()),
                      cluster.time(),
                      new Metrics(),
                      HollowSettings.of(NODES))));
      cluster.run(
          "lifecycle",
          () ->
              NodeLifecycle.start(
                  cluster.parts(NodeLifecycle.ACCOUNT), NodeLifecycleSettings.DEFAULT));
      cluster.run(
          "attach-detach",
          () ->
              AttachDetachController.start(
                  parts(AttachDetachController.ACCOUNT), AttachDetachSettings.DEFAULT));
      cluster.advance(Duration.ofMinutes(1));
      EXCLUSIVE.forEach(name -> volumes.make(name, AttachmentFixture.HOLLOW, "ReadWriteOnce"));
      volumes.make("shared", AttachmentFixture.HOLLOW, "ReadWriteMany");
      step(6, "create a pod", () -> pod(anyNode()));
      step(4, "delete a pod", this::deletePod);
      step(2, "force-delete a pod", () -> anyPod().ifPresent(this::forceDelete));
      step(2, "silence a node", () -> silence(anyNode()));
      step(2, "resume a node", () -> resume(anyNode()));
      step(2, "take a node out of service", () -> outOfService(anyNode()));
      step(2, "replace a node", () -> deleteAndMake(anyNode()));
      crashes(1, "attach-detach");
      passes(2, Duration.ofSeconds(5));
    }

    @Override
    protected Api between(Api server) {
      return new InterceptedApi(server, this::send);
    }

    /** Checks around each write of the controller what must always be so. */
    private ApiResult send(ApiRequest request, Api real) {
      if (request instanceof ApiRequest.Delete(var target, DeleteOptions options)) {
        assertThat(options.uid()).isNotEmpty();
        checkDetach(target.name().name());
      }
      ApiResult result = real.send(request);
      if (request instanceof ApiRequest.Create) {
        checkExclusive();
      }
      return result;
    }

    private void checkExclusive() {
      for (String volume : EXCLUSIVE) {
        assertThat(volumes.attachments(volume)).as(volume).hasSizeLessThan(2);
      }
    }

    /** Somebody is about to delete an attachment. */
    private void checkDetach(String name) {
      for (JsonObject attachment : cluster.list(Resources.VOLUME_ATTACHMENTS)) {
        if (Metadata.of(attachment).name().equals(name)) {
          String node = attachment.object("spec").text("nodeName", "");
          String volume =
              attachment.object("spec").object("source").text("persistentVolumeName", "");
          boolean isUsed = isHealthy(node) && volumes.inUse(node).contains(volume);
          assertThat(isUsed).as("%s is taken from %s", volume, node).isFalse();
        }
      }
    }

    private boolean isHealthy(String name) {
      Instant since = heardSince.getOrDefault(name, Instant.EPOCH);
      return !silent.contains(name)
          && since.plus(HEALTHY_AFTER).isBefore(cluster.time().now())
          && cluster.list(Resources.NODES).stream()
              .map(NodeView::read)
              .anyMatch(node -> node.name().equals(name) && node.ready());
    }

    /** Whatever runs on a healthy node has its volume there. */
    private void checkRunning() {
      for (JsonObject pod : cluster.list(Resources.PODS)) {
        String node = cluster.nodeOf(Metadata.of(pod).name());
        boolean runs = pod.object("status").text("phase", "").equals("Running");
        if (runs && isHealthy(node) && !Metadata.of(pod).isBeingDeleted()) {
          assertThat(volumes.attachments(claimOf(pod)))
              .as(Metadata.of(pod).name())
              .contains(node + " attached");
        }
      }
    }

    private static String claimOf(JsonObject pod) {
      return pod.object("spec")
          .array("volumes")
          .objects()
          .getFirst()
          .object("persistentVolumeClaim")
          .text("claimName", "");
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofMillis(random.nextInt(8) == 0 ? 400_000 : 5_000)));
    }

    @Override
    protected void checkInvariant() {
      checkExclusive();
      checkRunning();
    }

    private static String name(int node) {
      return "hollow-" + node;
    }

    private String anyNode() {
      return name(random.nextInt(NODES));
    }

    private void pod(String node) {
      String volume = VOLUMES.get(random.nextInt(VOLUMES.size()));
      volumes.pod("pod-" + pods++, node, volume);
    }

    private void deletePod() {
      anyPod().ifPresent(pod -> cluster.admin().delete(Resources.PODS, ObjectName.of(pod)));
    }

    private void forceDelete(JsonObject pod) {
      volumes.forceDelete(Metadata.of(pod).name());
    }

    private void silence(String node) {
      nodes.silence(node);
      silent.add(node);
    }

    private void resume(String node) {
      if (silent.remove(node)) {
        heardSince.put(node, cluster.time().now());
        cluster.taint(node, "null");
        nodes.resume(node);
      }
    }

    private void outOfService(String node) {
      if (silent.contains(node)) {
        cluster.taint(node, "[{'key':'node.kubernetes.io/out-of-service','effect':'NoSchedule'}]");
      }
    }

    /** A node is deleted, and its name given to another. */
    private void deleteAndMake(String node) {
      cluster.delete(Resources.NODES, ObjectName.of(node));
      cluster.advance(Duration.ofMillis(random.nextInt(3_000)));
      heardSince.put(node, cluster.time().now());
      cluster.create(Resources.NODES, "{'metadata':{'name':'%s'}}".formatted(node));
    }

    @Override
    protected void calmDown() {
      List.copyOf(silent).forEach(this::resume);
    }

    @Override
    protected void checkEnd() {
      Map<String, Set<String>> wanted = new HashMap<>();
      // A node that was made anew has no room as long as its agent has not said so.
      List<JsonObject> all =
          cluster.list(Resources.PODS).stream()
              .filter(pod -> !pod.object("status").text("phase", "").equals("Failed"))
              .toList();
      for (JsonObject pod : all) {
        assertThat(Metadata.of(pod).isBeingDeleted()).as("a pod is stuck").isFalse();
        wanted
            .computeIfAbsent(claimOf(pod), _ -> new TreeSet<>())
            .add(pod.object("spec").text("nodeName", "") + " attached");
      }
      for (String volume : VOLUMES) {
        Set<String> wants = wanted.getOrDefault(volume, Set.of());
        List<String> has = volumes.attachments(volume);
        if (EXCLUSIVE.contains(volume)) {
          assertThat(wants).as(volume).containsAll(has);
          assertThat(has).as(volume).hasSize(Math.min(1, wants.size()));
        } else {
          assertThat(has).as(volume).containsExactlyInAnyOrderElementsOf(wants);
        }
      }
      for (int i = 0; i < NODES; i++) {
        String node = name(i);
        List<String> attached =
            VOLUMES.stream()
                .filter(volume -> volumes.attachments(volume).contains(node + " attached"))
                .toList();
        assertThat(volumes.reportedAttached(node))
            .as(node)
            .containsExactlyInAnyOrderElementsOf(attached);
        for (JsonObject pod : all) {
          boolean has =
              pod.object("spec").text("nodeName", "").equals(node)
                  && attached.contains(claimOf(pod));
          if (has) {
            assertThat(pod.object("status").text("phase", ""))
                .as("%s has what it needs", Metadata.of(pod).name())
                .isEqualTo("Running");
          }
        }
      }
    }
  }
}
