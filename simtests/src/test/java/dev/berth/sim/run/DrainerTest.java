package dev.berth.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.scenario.NodeChoice;
import dev.berth.sim.scenario.ScenarioAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Drains take effect whatever becomes of the server meanwhile. */
class DrainerTest {
  private static final Duration DOWN = Duration.ofSeconds(20);

  private final VirtualCluster cluster = new VirtualCluster(1);
  private final List<String> power = new ArrayList<>();
  private final Drainer drainer =
      new Drainer(
          cluster.admin(), cluster.time(), (node, on) -> power.add(node + " " + on), _ -> {});

  @AfterEach
  void close() {
    drainer.close();
    cluster.close();
  }

  private boolean isCordoned() {
    JsonObject node = cluster.list(Resources.NODES).getFirst();
    return node.object("spec").flag("unschedulable", false);
  }

  private void advance(int seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  /** Otherwise its pods would come back as fast as they are evicted. */
  @Test
  void aNodeIsCordonedBeforeItsPodsAreEvictedThoughTheServerWasDown() {
    cluster.node("n1", "8");
    cluster.crashServer();
    drainer.drain(
        List.of("n1"),
        new ScenarioAction.Drain(NodeChoice.ALL, 1, Optional.of(DOWN), Optional.empty()));
    advance(3);
    assertThat(power).isEmpty();

    cluster.startServer();
    advance(3);
    assertThat(isCordoned()).isTrue();
    assertThat(power).containsExactly("n1 false");
  }

  @Test
  void aNodeIsUncordonedAfterItsMaintenanceThoughTheServerWasDown() {
    cluster.node("n1", "8");
    drainer.drain(
        List.of("n1"),
        new ScenarioAction.Drain(NodeChoice.ALL, 1, Optional.of(DOWN), Optional.empty()));
    advance(19);
    cluster.crashServer();
    advance(2);
    assertThat(power).containsExactly("n1 false", "n1 true");

    cluster.startServer();
    advance(5);
    assertThat(isCordoned()).isFalse();
  }
}
