package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.Resources;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two schedulers, one of which leads, against a server that fails now and then; they crash and come
 * back, while pods and nodes come and go. After each binding, nobody may have been given room that
 * was taken; in the end, nobody who fits somewhere may be left waiting.
 */
class NoNodeIsOvercommittedTest {
  private static final int STEPS = 60;

  @SeededTest(fixed = 40, fresh = 20)
  void noTwoPodsAreGivenTheSameRoom(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final List<Scheduler> candidates = new ArrayList<>();
    private int started;
    private int created;
    private int checks;
    private int grown;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(15));
      watch(
          Resources.PODS,
          _ -> {
            checks++;
            checkInvariant();
          });
      for (int i = 0; i < 4; i++) {
        cluster.node("node" + i, Integer.toString(1 + i));
      }
      cluster.priority("high", 1000);
      candidates.add(candidate());
      candidates.add(candidate());
      cluster.settle();
      step(4, "create pods", this::createSome);
      step(3, "delete pods", this::deleteSome);
      step(1, "taint a node", this::taint);
      step(1, "crash a scheduler", this::crash);
      step(1, "grow a node", this::grow);
      passes(2, Duration.ofSeconds(8));
    }

    /** A scheduler that runs for leader. */
    private Scheduler candidate() {
      String name = "candidate" + started++;
      Api api = unreliable(cluster.schedulersApi());
      Scheduler scheduler =
          Scheduler.start(
              new Scheduler.Parts(
                  api, cluster.time(), new Metrics(), ConfigurationReader.defaults(), name));
      new LeaderElection(
              api,
              scheduler.loop(),
              cluster.time(),
              LeaderElection.Config.standard(new ObjectName("kube-system", "kube-scheduler"), name),
              new LeaderElection.Listener() {
                @Override
                public void started(LeaderTerm term) {
                  scheduler.lead();
                }

                @Override
                public void stopped() {
                  // As the command does it: who no longer leads ends.
                  scheduler.close();
                }
              })
          .start();
      return scheduler;
    }

    private void crash() {
      int place = random.nextInt(2);
      candidates.get(place).close();
      candidates.set(place, candidate());
    }

    private String someNode() {
      return "node" + random.nextInt(4);
    }

    private void taint() {
      cluster.taint(
          someNode(), random.nextBoolean() ? "[{'key':'k','effect':'NoSchedule'}]" : "null");
    }

    private void grow() {
      cluster.patchStatus(
          Resources.NODES,
          ObjectName.of(someNode()),
          "{'status':{'allocatable':{'cpu':'%dm'}}}".formatted(4_000 + 50 * grown++));
    }

    private void createSome() {
      for (int i = random.nextInt(8); i >= 0; i--) {
        String priority = random.nextInt(5) == 0 ? "{'priorityClassName':'high'}" : "{}";
        cluster.pod("pod" + created++, (200 + 100 * random.nextInt(12)) + "m", priority);
      }
    }

    private void deleteSome() {
      for (int i = random.nextInt(6); i >= 0; i--) {
        anyPod().ifPresent(pod -> cluster.delete(Resources.PODS, ObjectName.of(pod)));
      }
    }

    /** Also after every write of a pod: no node has more than it can take. */
    @Override
    protected void checkInvariant() {
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
            .as("cpu of %s", node.name())
            .isLessThanOrEqualTo(ResourceList.read(node.allocatable()).get("cpu"));
      }
    }

    /** Whoever leads may have ended for good: another one runs. */
    @Override
    protected void calmDown() {
      candidates.add(candidate());
    }

    @Override
    protected void checkEnd() {
      assertThat(checks).isGreaterThan(created);
      for (JsonObject tree : cluster.list(Resources.PODS)) {
        PodView pod = PodView.read(tree);
        if (pod.spec().nodeName().isEmpty()) {
          assertThat(fits(pod)).as("%s waits, and fits", pod.name()).isFalse();
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
  }
}
