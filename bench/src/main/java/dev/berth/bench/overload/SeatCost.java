package dev.berth.bench.overload;

import dev.berth.access.Action;
import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.kinds.BuiltIns;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import dev.berth.serving.flowcontrol.FlowControl;
import dev.berth.serving.flowcontrol.FlowControlSettings;
import dev.berth.serving.flowcontrol.PriorityAndFairness;
import dev.berth.serving.request.Query;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.WallTime;
import java.time.Duration;
import java.util.List;

/** What it costs a request to be given a seat and to give it back, while nobody waits. */
final class SeatCost {
  private static final int ROUNDS = 10;
  private static final int REQUESTS = 200_000;
  private static final double NANOS_PER_MICRO = 1e3;

  private SeatCost() {}

  static void measure() throws InterruptedException {
    try (WallTime time = new WallTime(_ -> {});
        MemoryStore store = new MemoryStore();
        PriorityAndFairness fair =
            new PriorityAndFairness(
                FlowControlSettings.DEFAULT,
                new Registry(store, BuiltIns.catalog(), time),
                new Metrics())) {
      User node = User.authenticated("system:node:n", List.of("system:nodes"));
      GroupResource leases = new GroupResource("coordination.k8s.io", "leases");
      Action renewal = new Action.OnResource("patch", leases, "kube-node-lease", "n", "");
      double[] micros = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        long began = System.nanoTime();
        for (int i = 0; i < REQUESTS; i++) {
          FlowControl.FlowRequest request =
              new FlowControl.FlowRequest(
                  node, renewal, Query.NONE, time.monotonicNow(), Duration.ofSeconds(60));
          if (fair.admit(request) instanceof FlowControl.Admission.Admitted admitted) {
            admitted.seat().close();
          }
        }
        micros[round] = (System.nanoTime() - began) / NANOS_PER_MICRO / REQUESTS;
      }
      new Figure("a seat, while nobody waits", "us", 5, Better.LOWER).print(micros);
    }
  }
}
