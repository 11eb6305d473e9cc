package dev.berth.sim.nodedrain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.controllers.nodedrain.NodeDrainController;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.CountedPod;
import dev.berth.sim.history.History;
import dev.berth.sim.history.Occurrences;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;

/**
 * Three nodes at a time are drained by a controller that crashes, is paused and has a server that
 * fails now and then. Pods stop being healthy by evictions alone, so after each write as many must
 * be healthy as the budget wants; in the end the nodes are empty.
 */
class DrainsKeepBudgetsTest {
  private static final Occurrences EVICTIONS = new Occurrences("evictions");
  private static final int STEPS = 60;
  private static final int NODES = 5;
  private static final int REPLICAS = 10;
  private static final int MUST_STAY = 8;
  private static final String SPARE = "spare";

  @AfterAll
  static void somethingWasShown() {
    EVICTIONS.assertSome();
  }

  @SeededTest(fixed = 15, fresh = 5)
  void aDrainTakesNoMoreThanTheBudgetAllows(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final DrainFixture drains = new DrainFixture(cluster);
    private int created;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(30));
      cluster.node(SPARE, "4");
      for (int i = 0; i < NODES; i++) {
        cluster.node("n" + i, "4");
      }
      for (int i = 0; i < REPLICAS; i++) {
        drains.ready("p" + created++, "n" + i % NODES);
      }
      drains.budget(MUST_STAY);
      drains.define();
      watch(Resources.PODS, _ -> checkInvariant());
      cluster.run(
          "disruption", () -> DisruptionController.start(parts(DisruptionController.ACCOUNT)));
      cluster.run("nodedrain", () -> NodeDrainController.start(parts(NodeDrainController.ACCOUNT)));
      drains.drain(
          "d",
          "{'nodes':[%s],'maxConcurrentNodes':3}"
              .formatted(
                  String.join(
                      ",", IntStream.range(0, NODES).mapToObj(i -> "'n" + i + "'").toList())));
      step(3, "replace a pod", this::replace);
      step(1, "pause", () -> drains.change("d", "{'paused':true}"));
      step(2, "resume", () -> drains.change("d", "{'paused':false}"));
      crashes(1, "nodedrain");
      step(1, "restart disruption", () -> cluster.restart("disruption"));
      passes(2, Duration.ofSeconds(30));
      passes(2, Duration.ofSeconds(2));
    }

    private List<JsonObject> all() {
      return cluster.list(Resources.PODS);
    }

    private void replace() {
      if (all().size() < REPLICAS) {
        drains.ready("p" + created++, SPARE);
      }
    }

    private long healthy() {
      return all().stream()
          .map(CountedPod::read)
          .filter(pod -> pod.ready() && !pod.terminating())
          .count();
    }

    /** Also after every write of a pod. */
    @Override
    protected void checkInvariant() {
      assertThat(healthy()).as("healthy pods").isGreaterThanOrEqualTo(MUST_STAY);
    }

    /** As many as are asked for, and as many again, so that all others may go. */
    @Override
    protected void calmDown() {
      drains.change("d", "{'paused':false}");
      for (int i = 0; i < REPLICAS; i++) {
        drains.ready("p" + created++, SPARE);
      }
    }

    @Override
    protected void checkEnd() {
      EVICTIONS.add(created - all().size());
      assertThat(drains.progress("d")).startsWith("Succeeded 5/5");
      for (int i = 0; i < NODES; i++) {
        assertThat(drains.podsOn("n" + i)).isEmpty();
        assertThat(drains.cordoned()).contains("n" + i);
      }
    }
  }
}
