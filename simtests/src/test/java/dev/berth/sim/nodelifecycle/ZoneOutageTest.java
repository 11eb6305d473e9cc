package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A third of a large cluster is lost: hours of virtual time, to the last node. */
class ZoneOutageTest {
  private static final int NODES = Integer.getInteger("berth.outage.nodes", 300);

  @Test
  void aZoneOfALargeClusterIsEmptiedNodeByNode() {
    int zone = (NODES + 2) / 3;
    try (NodeLifecycleFixture fixture =
        new NodeLifecycleFixture().zone("a", zone).zone("b", zone).zone("c", NODES - 2 * zone)) {
      fixture.advance(60);
      fixture.silence("a", zone);
      fixture.advance(60 + 10L * zone);
      assertThat(fixture.taintedNodes.of("a")).isEqualTo(zone);
      assertThat(fixture.taintedNodes.count()).isEqualTo(zone);
      fixture.taintedNodes.assertApart(Duration.ofSeconds(10));
      assertThat(fixture.ready("b0")).isEqualTo("True");
    }
  }
}
