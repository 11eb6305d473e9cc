package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiWatch;
import dev.berth.client.LeaderElection;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two schedulers, one of which leads, against a server that fails now and then; they crash and come
 * back, while pods and nodes come and go. After each binding, nobody may have been given room that
 * was taken; in the end, nobody who fits somewhere may be left waiting.
 */
class NoNodeIsOvercommittedTest {
  private static final int STEPS = 60;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noTwoPodsAreGivenTheSameRoom(long seed) {
    try (Run run = new Run(seed)) {
      for (int step = 0; step < STEPS; step++) {
        run.step();
      }
      run.calmDown();
    }
  }

  /** One history. */
  private static final class Run implements AutoCloseable {
    private final VirtualCluster cluster;
    private final Random random;
    private final ApiWatch pods;
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<FaultyApi> apis = new ArrayList<>();
    private int created;
    private int checks;
    private int grown;

    Run(long seed) {
      cluster = new VirtualCluster(seed);
      random = new Random(seed);
      pods =
          cluster
              .admin()
              .watch(ListRequest.of(Resources.PODS).watchAfter(cluster.revision()), this::check);
      check();
      for (int i = 0; i < 4; i++) {
        cluster.node("node" + i, Integer.toString(1 + i));
      }
      cluster.priority("high", 1000);
      candidates.add(new Candidate("a"));
      candidates.add(new Candidate("b"));
      cluster.settle();
    }

    /** A scheduler that runs for leader. */
    private final class Candidate {
      final Scheduler scheduler;

      Candidate(String name) {
        FaultyApi api = new FaultyApi(cluster.schedulersApi(), new Random(random.nextLong()));
        apis.add(api);
        scheduler =
            Scheduler.start(
                new Scheduler.Parts(
                    api, cluster.time(), new Metrics(), ConfigurationReader.defaults(), name));
        new LeaderElection(
                api,
                scheduler.loop(),
                cluster.time(),
                LeaderElection.Config.standard(
                    new ObjectName("kube-system", "kube-scheduler"), name + apis.size()),
                new LeaderElection.Listener() {
                  @Override
                  public void started() {
                    scheduler.lead();
                  }

                  @Override
                  public void stopped() {
                    // As the command does it: who no longer leads ends.
                    scheduler.close();
                  }
                })
            .start();
      }
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> {
          for (int i = random.nextInt(8); i >= 0; i--) {
            pod();
          }
        }
        case 4, 5, 6 -> {
          for (int i = random.nextInt(6); i >= 0; i--) {
            deleteSomePod();
          }
        }
        case 7 ->
            cluster.taint(
                someNode(), random.nextBoolean() ? "[{'key':'k','effect':'NoSchedule'}]" : "null");
        case 8 -> {
          // A crash: its loop is gone from one step to the next.
          int place = random.nextInt(2);
          candidates.get(place).scheduler.close();
          candidates.set(place, new Candidate("c"));
        }
        case 9 ->
            cluster.patchStatus(
                Resources.NODES,
                ObjectName.of(someNode()),
                "{'status':{'allocatable':{'cpu':'%dm'}}}".formatted(4_000 + 50 * grown++));
        default -> cluster.advance(Duration.ofMillis(random.nextInt(8_000)));
      }
      if (random.nextInt(3) == 0) {
        cluster.settle();
      }
    }

    private String someNode() {
      return "node" + random.nextInt(4);
    }

    private void pod() {
      String priority = random.nextInt(5) == 0 ? "{'priorityClassName':'high'}" : "{}";
      cluster.pod("pod" + created++, (200 + 100 * random.nextInt(12)) + "m", priority);
    }

    private void deleteSomePod() {
      List<JsonObject> all = cluster.list(Resources.PODS);
      if (!all.isEmpty()) {
        cluster.delete(Resources.PODS, ObjectName.of(all.get(random.nextInt(all.size()))));
      }
    }

    /** Run after every write of a pod: no node has more than it can take. */
    private void check() {
      // Only who has taken everything is told of the next change.
      while (pods.poll(1_000) instanceof ApiWatch.Poll.Events(List<ApiWatch.Event> events, var _)
          && !events.isEmpty()) {
        checks++;
      }
      Map<String, ResourceList> used = new HashMap<>();
      for (JsonObject tree : cluster.list(Resources.PODS)) {
        PodView pod = PodView.read(tree);
        if (!pod.spec().nodeName().isEmpty()) {
          used.merge(
              pod.spec().nodeName(), EffectiveResources.requests(pod.spec()), ResourceList::plus);
        }
      }
      for (JsonObject tree : cluster.list(Resources.NODES)) {
        NodeView node = NodeView.read(tree);
        ResourceList taken = used.getOrDefault(node.name(), ResourceList.EMPTY);
        assertThat(taken.get("cpu"))
            .as("seed %d: cpu of %s", cluster.time().seed(), node.name())
            .isLessThanOrEqualTo(ResourceList.read(node.allocatable()).get("cpu"));
      }
    }

    /** The server answers again; then everybody who fits somewhere has a node. */
    void calmDown() {
      assertThat(checks).isGreaterThan(created);
      apis.forEach(FaultyApi::heal);
      candidates.add(new Candidate("last"));
      apis.forEach(FaultyApi::heal);
      cluster.advance(Duration.ofMinutes(15));
      for (JsonObject tree : cluster.list(Resources.PODS)) {
        PodView pod = PodView.read(tree);
        if (pod.spec().nodeName().isEmpty()) {
          assertThat(fits(pod))
              .as("seed %d: %s waits, and fits", cluster.time().seed(), pod.name())
              .isFalse();
        }
      }
    }

    private boolean fits(PodView pod) {
      return cluster.list(Resources.NODES).stream()
          .map(NodeView::read)
          .anyMatch(node -> {
            long used =
                cluster.list(Resources.PODS).stream()
                    .map(PodView::read)
                    .filter(other -> other.spec().nodeName().equals(node.name()))
                    .mapToLong(
                        other -> EffectiveResources.requests(other.spec()).get("cpu").milliValue())
                    .sum();
            long wanted = EffectiveResources.requests(pod.spec()).get("cpu").milliValue();
            return used + wanted <= ResourceList.read(node.allocatable()).get("cpu").milliValue()
                && RemainingTaints.of(
                        node.taints(), pod.spec().tolerations(), TolerationRules.STANDARD)
                    .refusal()
                    .isEmpty();
          });
    }

    @Override
    public void close() {
      pods.close();
      cluster.close();
    }
  }
}
