package dev.berth.sim.deployment;

import static dev.berth.client.Resources.DEPLOYMENTS;
import static dev.berth.client.Resources.PODS;
import static dev.berth.sim.replicaset.Workloads.count;
import static dev.berth.sim.replicaset.Workloads.image;
import static dev.berth.sim.replicaset.Workloads.size;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.replicaset.Workloads;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens to deployments, their pods and their controllers, they have in the end what they
 * are to have: not a pod too many or too few. And whatever they do on the way, they keep to the
 * numbers of their strategy.
 */
class WorkloadHistoryTest {
  private static final List<String> IMAGES = List.of("v1", "v2", "v3", "broken");

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 30);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomHistoriesEndInWhatIsWanted(long seed) {
    try (Workloads workloads = new Workloads(seed, Duration.ofSeconds(3))) {
      history(workloads);
    }
  }

  private static void history(Workloads workloads) {
    RandomGenerator random = workloads.cluster.time().random("history");
    List<FaultyApi> faulty = workloads.fail();
    workloads.kubelet.breaks("broken");
    boolean recreate = random.nextInt(4) == 0;
    workloads.deployment("web", 4, recreate ? "'strategy':{'type':'Recreate'}" : "");
    for (int i = 0; i < 40; i++) {
      happen(workloads, random);
      workloads.cluster.advance(Duration.ofMillis(random.nextInt(6_000)));
    }
    faulty.forEach(FaultyApi::heal);
    for (int node = 0; node < 5; node++) {
      workloads.kubelet.finds("n" + node);
    }
    for (JsonObject pod : workloads.pods()) {
      if (Metadata.of(pod).isBeingDeleted()) {
        workloads.cluster.admin().delete(PODS, ObjectName.of(pod), DeleteOptions.NONE.grace(0));
      }
    }
    long replicas = random.nextInt(10);
    workloads.patch(DEPLOYMENTS, "web", "{'paused':false,'replicas':" + replicas + "}");
    workloads.image("web", "last");
    workloads.advance(900);

    List<JsonObject> pods =
        workloads.staying().stream().filter(WorkloadHistoryTest::isSelected).toList();
    assertThat(pods).hasSize((int) replicas);
    assertThat(pods).allMatch(pod -> image(pod).equals("last"));
    assertThat(pods).allMatch(Workloads::isReady);
    JsonObject status = workloads.status(DEPLOYMENTS, "web");
    for (String field :
        List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")) {
      assertThat(count(status, field)).as(field).isEqualTo(replicas);
    }
    assertThat(workloads.condition(DEPLOYMENTS, "web", "Progressing"))
        .startsWith("True NewReplicaSetAvailable");
    assertThat(workloads.sets().stream().filter(set -> size(set) > 0).count())
        .isEqualTo(replicas > 0 ? 1 : 0);
  }

  private static void happen(Workloads workloads, RandomGenerator random) {
    switch (random.nextInt(12)) {
      case 0, 1 -> workloads.image("web", IMAGES.get(random.nextInt(IMAGES.size())));
      case 2, 3 -> workloads.patch(DEPLOYMENTS, "web", "{'replicas':" + random.nextInt(12) + "}");
      case 4 -> workloads.patch(DEPLOYMENTS, "web", "{'paused':" + random.nextBoolean() + "}");
      case 5 -> workloads.cluster.restart("sets");
      case 6 -> workloads.cluster.restart("deployments");
      case 7 -> onSomePod(workloads, random, pod -> fail(workloads, pod));
      case 8 ->
          onSomePod(
              workloads, random, pod -> workloads.cluster.admin().delete(PODS, ObjectName.of(pod)));
      case 9 -> lose(workloads, "n" + random.nextInt(2));
      default -> onSomePod(workloads, random, pod -> relabel(workloads, pod));
    }
  }

  private static void onSomePod(
      Workloads workloads, RandomGenerator random, Consumer<JsonObject> action) {
    List<JsonObject> pods = workloads.staying();
    if (!pods.isEmpty()) {
      action.accept(pods.get(random.nextInt(pods.size())));
    }
  }

  private static boolean isSelected(JsonObject pod) {
    return Metadata.of(pod).label("app").orElse("").equals("web");
  }

  /** A pod that was its set's is nobody's, or the other way round. */
  private static void relabel(Workloads workloads, JsonObject pod) {
    String label = isSelected(pod) ? "nobody" : "web";
    workloads.cluster.patch(
        PODS, ObjectName.of(pod), "{'metadata':{'labels':{'app':'" + label + "'}}}");
  }

  private static void fail(Workloads workloads, JsonObject pod) {
    workloads.cluster.patchStatus(PODS, ObjectName.of(pod), "{'status':{'phase':'Failed'}}");
  }

  /** The pods of a lost node are deleted, and stay until it is back. */
  private static void lose(Workloads workloads, String node) {
    workloads.kubelet.loses(node);
    for (JsonObject pod : workloads.staying()) {
      if (pod.object("spec").text("nodeName", "").equals(node)) {
        workloads.cluster.admin().delete(PODS, ObjectName.of(pod), DeleteOptions.NONE.grace(30));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void updatesKeepToTheirNumbersThroughFaultsAndCrashes(long seed) {
    try (Workloads workloads = new Workloads(seed, Duration.ofSeconds(3))) {
      updates(workloads);
    }
  }

  private static void updates(Workloads workloads) {
    RandomGenerator random = workloads.cluster.time().random("updates");
    long replicas = 3L + random.nextInt(10);
    long surge = random.nextInt(4);
    long unavailable = random.nextInt(4) + (surge == 0 ? 1L : 0L);
    workloads.kubelet.breaks("broken");
    workloads.deployment(
        "web",
        replicas,
        "'minReadySeconds':%d,'strategy':{'rollingUpdate':{'maxSurge':%d,'maxUnavailable':%d}}"
            .formatted(random.nextInt(3), surge, unavailable));
    workloads.advance(30);
    workloads.fail();
    for (int i = 0; i < 150; i++) {
      switch (random.nextInt(20)) {
        case 0 -> workloads.image("web", IMAGES.get(random.nextInt(IMAGES.size())));
        case 1 -> workloads.cluster.restart("sets");
        case 2 -> workloads.cluster.restart("deployments");
        default -> workloads.cluster.advance(Duration.ofMillis(random.nextInt(1_000)));
      }
      assertThat(workloads.sets().stream().mapToLong(Workloads::size).sum())
          .as("pods that the sets are to have")
          .isLessThanOrEqualTo(replicas + surge);
      assertThat(workloads.staying().stream().filter(Workloads::isReady).count())
          .as("pods that are ready")
          .isGreaterThanOrEqualTo(replicas - unavailable);
    }
  }
}
