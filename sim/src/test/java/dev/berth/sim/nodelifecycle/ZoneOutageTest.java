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
    try (LifecycleScene scene =
        new LifecycleScene().zone("a", zone).zone("b", zone).zone("c", NODES - 2 * zone)) {
      scene.advance(60);
      scene.silence("a", zone);
      scene.advance(60 + 10L * zone);
      assertThat(scene.emptied.of("a")).isEqualTo(zone);
      assertThat(scene.emptied.count()).isEqualTo(zone);
      scene.emptied.assertApart(Duration.ofSeconds(10));
      assertThat(scene.ready("b0")).isEqualTo("True");
    }
  }
}
