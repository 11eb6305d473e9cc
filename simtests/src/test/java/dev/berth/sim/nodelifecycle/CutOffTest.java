package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A controller that hears nothing because of itself must not take nodes for dead. */
class CutOffTest {

  /** A server that a controller sees badly. */
  private static final class BadLine implements Api {
    private final Api real;
    boolean leasesLag;
    boolean dead;

    BadLine(Api real) {
      this.real = real;
    }

    @Override
    public ApiResult send(ApiRequest request) {
      return dead ? new ApiResult.Unreachable("no answer") : real.send(request);
    }

    @Override
    public ListResult list(ListRequest request) {
      return dead ? new ApiResult.Unreachable("no answer") : real.list(request);
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      ApiWatch watch = real.watch(request, onReady);
      return new ApiWatch() {
        @Override
        public Poll poll(int limit) {
          if (dead) {
            return new Poll.Failed(new ApiResult.Unreachable("no answer"));
          }
          return leasesLag && request.resource().equals(Resources.LEASES)
              ? new Poll.Events(List.of(), "")
              : watch.poll(limit);
        }

        @Override
        public void close() {
          watch.close();
        }
      };
    }
  }

  private static BadLine over(NodeLifecycleFixture fixture) {
    ControllerParts parts = fixture.cluster.parts(NodeLifecycle.ACCOUNT);
    BadLine line = new BadLine(parts.api());
    fixture.cluster.run(
        NodeLifecycleFixture.CONTROLLER,
        () ->
            NodeLifecycle.start(
                new ControllerParts(line, parts.time(), parts.metrics(), parts.warnings()),
                NodeLifecycleSettings.DEFAULT));
    return line;
  }

  private static void assertNobodyWasLost(NodeLifecycleFixture fixture) {
    for (int i = 0; i < 6; i++) {
      assertThat(fixture.ready("a" + i)).isEqualTo("True");
      assertThat(fixture.cluster.events("a" + i, "NodeNotReady")).isEmpty();
    }
  }

  @Test
  void aWatchThatLagsBehindMakesNobodyLost() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 6)) {
      BadLine line = over(fixture);
      fixture.advance(60);
      line.leasesLag = true;
      fixture.advance(200);
      assertNobodyWasLost(fixture);
      fixture.heartbeats.silence("a0");
      fixture.advance(90);
      assertThat(fixture.ready("a0")).isEqualTo("Unknown");
      assertThat(fixture.ready("a1")).isEqualTo("True");
    }
  }

  /** Nobody could renew a lease meanwhile either, and some are late in doing so. */
  @Test
  void aServerThatWasAwayMakesNobodyLost() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 6)) {
      BadLine line = over(fixture);
      fixture.advance(60);
      line.dead = true;
      fixture.silence("a", 6);
      fixture.advance(300);
      line.dead = false;
      fixture.advance(7);
      for (int i = 0; i < 6; i++) {
        fixture.heartbeats.resume("a" + i);
      }
      fixture.advance(300);
      assertNobodyWasLost(fixture);
    }
  }
}
