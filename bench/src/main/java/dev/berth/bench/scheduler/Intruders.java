package dev.berth.bench.scheduler;

import dev.berth.client.Api;
import dev.berth.client.Resources;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Pods that fit nowhere, 200 of which come each second, for the workload that has them. */
final class Intruders implements AutoCloseable {
  private static final int EVERY_MILLIS = 5;

  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final Api admin;
  private final Workload workload;
  private int created;

  Intruders(Api admin, Workload workload) {
    this.admin = admin;
    this.workload = workload;
  }

  void start() {
    if (workload == Workload.UNSCHEDULABLE) {
      var _ =
          executor.scheduleAtFixedRate(
              () -> admin.create(Resources.PODS, Workload.hopelessPod(created++)),
              0,
              EVERY_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
