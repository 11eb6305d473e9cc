package dev.berth.sim;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.sim.history.History;
import dev.berth.sim.history.Occurrences;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;

/**
 * Pods of three priorities on few nodes, victims that take their time, and a server that fails: by
 * whatever way room is freed, who fits in it gets it within seconds. A reference looks at every pod
 * and every node anew.
 */
class NobodyWaitsBesideFreeRoomTest {
  private static final int STEPS = 60;
  private static final int NODES = 3;

  /** Longer than any back-off, and far shorter than the five minutes after which all is tried. */
  private static final Duration SOON = Duration.ofSeconds(25);

  private static final Occurrences NOMINATIONS = new Occurrences("pods nominated in the end");

  @SeededTest(fixed = 60, fresh = 20)
  void whoFitsIsPlaced(long seed) {
    History.run(() -> new Run(seed));
  }

  @AfterAll
  static void somePodsWereNominated() {
    NOMINATIONS.assertSome();
  }

  private static final class Run extends History {
    private int created;

    Run(long seed) {
      super(seed, STEPS, SOON);
      for (int i = 0; i < NODES; i++) {
        cluster.node("node" + i, Integer.toString(2 + i));
      }
      cluster.priority("low", 10);
      cluster.priority("medium", 100);
      cluster.priority("high", 1000);
      cluster.run(
          "scheduler",
          () -> {
            Scheduler scheduler =
                Scheduler.start(
                    new Scheduler.Parts(
                        unreliable(cluster.schedulersApi()),
                        cluster.time(),
                        new Metrics(),
                        ConfigurationReader.defaults(),
                        "test"));
            scheduler.lead();
            return scheduler;
          });
      step(6, "create pods", this::createSome);
      step(3, "delete a pod", this::delete);
      step(3, "let a pod go", () -> anyHeld().ifPresent(this::letGo));
      step(1, "end a pod", this::end);
      step(1, "place a pod by hand", this::placeByHand);
      step(1, "taint a node", this::taint);
      step(1, "resize a node", this::resize);
      step(1, "restart the scheduler", () -> cluster.restart("scheduler"));
      passes(4, Duration.ofSeconds(2));
    }

    private void createSome() {
      for (int i = random.nextInt(5); i >= 0; i--) {
        create("");
      }
    }

    private void create(String field) {
      String name = "pod" + created++;
      String priority = List.of("low", "low", "medium", "high").get(random.nextInt(4));
      cluster.pod(
          name,
          (1 + random.nextInt(4)) * 500 + "m",
          "{'priorityClassName':'%s'%s}".formatted(priority, field));
      if (random.nextInt(3) > 0) {
        cluster.patch(
            Resources.PODS, podName(name), "{'metadata':{'finalizers':['example.com/hold']}}");
      }
    }

    private void delete() {
      anyPod().ifPresent(pod -> cluster.delete(Resources.PODS, ObjectName.of(pod)));
    }

    /** A pod that is being deleted, and that a finalizer keeps. */
    private Optional<JsonObject> anyHeld() {
      return any(
          cluster.list(Resources.PODS).stream()
              .filter(pod -> PodView.read(pod).terminating())
              .toList());
    }

    private void letGo(JsonObject pod) {
      cluster.patch(Resources.PODS, ObjectName.of(pod), "{'metadata':{'finalizers':null}}");
    }

    private void end() {
      any(cluster.list(Resources.PODS).stream()
              .filter(pod -> !PodView.read(pod).spec().nodeName().isEmpty())
              .toList())
          .ifPresent(pod ->
              cluster.patchStatus(
                  Resources.PODS, ObjectName.of(pod), "{'status':{'phase':'Succeeded'}}"));
    }

    private void placeByHand() {
      create(",'nodeName':'" + someNode() + "'");
    }

    private String someNode() {
      return "node" + random.nextInt(NODES);
    }

    private void taint() {
      cluster.taint(
          someNode(), random.nextBoolean() ? "[{'key':'k','effect':'NoSchedule'}]" : "null");
    }

    private void resize() {
      cluster.patchStatus(
          Resources.NODES,
          ObjectName.of(someNode()),
          "{'status':{'allocatable':{'cpu':'%d'}}}".formatted(1 + random.nextInt(5)));
    }

    /** First with victims that are held back, then without them. */
    @Override
    protected void checkEnd() {
      List<Pod> pods = pods();
      NOMINATIONS.add(pods.stream().filter(pod -> !pod.nominatedTo().isEmpty()).count());
      checkNobodyFits(pods);
      cluster.list(Resources.PODS).stream()
          .filter(pod -> PodView.read(pod).terminating())
          .forEach(this::letGo);
      cluster.advance(SOON);
      checkNobodyFits(pods());
    }

    private List<Pod> pods() {
      return cluster.list(Resources.PODS).stream()
          .filter(pod -> !PodView.read(pod).phase().finished())
          .map(Pod::read)
          .toList();
    }

    private void checkNobodyFits(List<Pod> pods) {
      for (JsonObject tree : cluster.list(Resources.NODES)) {
        NodeView node = NodeView.read(tree);
        if (node.taints().isEmpty()) {
          checkNobodyFits(node, pods);
        }
      }
    }

    /**
     * Room that is kept for pods of the same or a higher priority is not free. Of those that are
     * nominated to the node with one priority, one is the first; which it is cannot be seen from
     * outside, but it would fit if the greatest of them did.
     */
    private static void checkNobodyFits(NodeView node, List<Pod> pods) {
      long free =
          ResourceList.read(node.allocatable()).get("cpu").milliValue()
              - sum(pods, pod -> pod.node().equals(node.name()));
      for (Pod pod : pods) {
        if (!pod.waits()) {
          continue;
        }
        boolean isNominated = pod.nominatedTo().equals(node.name());
        Predicate<Pod> isOneOfThem =
            other -> other.nominatedTo().equals(node.name()) && other.priority() == pod.priority();
        long kept =
            sum(
                pods,
                other ->
                    (other.nominatedTo().equals(node.name()) && other.priority() > pod.priority())
                        || (!isNominated && isOneOfThem.test(other)));
        long wanted =
            pods.stream()
                .filter(other -> isNominated ? isOneOfThem.test(other) : other.equals(pod))
                .mapToLong(Pod::cpu)
                .max()
                .orElseThrow();
        assertThat(wanted)
            .as("%s waits, and %s has room for it", pod.name(), node.name())
            .isGreaterThan(free - kept);
      }
    }

    private static long sum(List<Pod> pods, Predicate<Pod> which) {
      return pods.stream().filter(which).mapToLong(Pod::cpu).sum();
    }
  }

  /**
   * A pod that has not ended.
   *
   * @param node where it is; empty if it is on none
   * @param nominatedTo empty if it is nominated to none, or no longer waits
   */
  private record Pod(
      String name, long priority, long cpu, String node, String nominatedTo, boolean waits) {
    static Pod read(JsonObject tree) {
      PodView pod = PodView.read(tree);
      boolean waits = pod.spec().nodeName().isEmpty() && !pod.terminating();
      return new Pod(
          pod.name(),
          pod.spec().priority(),
          EffectiveResources.requests(pod.spec()).get("cpu").milliValue(),
          pod.spec().nodeName(),
          waits ? tree.object("status").text("nominatedNodeName", "") : "",
          waits);
    }
  }
}
