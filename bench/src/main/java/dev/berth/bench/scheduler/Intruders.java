package dev.berth.bench.scheduler;

import dev.berth.model.tree.JsonObject;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Pods that fit nowhere, 200 of which come each second, for the workload that has them. */
final class Intruders implements AutoCloseable {
  private static final int EVERY_MILLIS = 5;

  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private int created;

  /**
   * @param create sends a pod to the server
   */
  static Intruders start(Workload workload, Consumer<JsonObject> create) {
    Intruders intruders = new Intruders();
    if (workload == Workload.UNSCHEDULABLE) {
      var _ =
          intruders.executor.scheduleAtFixedRate(
              () -> create.accept(Workload.hopelessPod(intruders.created++)),
              0,
              EVERY_MILLIS,
              TimeUnit.MILLISECONDS);
    }
    return intruders;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
