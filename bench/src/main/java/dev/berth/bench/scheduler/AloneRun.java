package dev.berth.bench.scheduler;

import com.sun.management.ThreadMXBean;
import dev.berth.apiserver.LocalApi;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The scheduler alone: its API in the same process over a store in memory, its pods there before it
 * begins.
 */
final class AloneRun {
  private static final int PATIENCE_SECONDS = 120;
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private final Workload workload;
  private final int nodes;

  AloneRun(Workload workload, int nodes) {
    this.workload = workload;
    this.nodes = nodes;
  }

  /**
   * What a run gave.
   *
   * @param allocatedKilobytes by everybody in the process, API and store included, for each pod
   */
  record Outcome(
      double podsPerSecond,
      double allocatedKilobytes,
      List<JsonObject> nodes,
      List<JsonObject> pods) {}

  Outcome run() throws Exception {
    try (MemoryStore store = new MemoryStore();
        WallTime time = new WallTime(failure -> System.err.println(failure));
        LocalApi server =
            LocalApi.open(store, time, (method, path, cause) -> System.err.println(cause))) {
      Api admin = server.api(User.authenticated("admin", List.of("system:masters")), "bench");
      fill(admin);
      Scheduler scheduler = scheduler(server, time);
      try {
        return measure(admin, scheduler);
      } finally {
        scheduler.close();
      }
    }
  }

  private static Scheduler scheduler(LocalApi server, WallTime time) {
    return Scheduler.start(
        new Scheduler.Parts(
            server.api("system:kube-scheduler", "kube-scheduler"),
            time,
            new Metrics(),
            ConfigurationReader.defaults(),
            "bench"));
  }

  private void fill(Api admin) throws IOException {
    done(
        admin.create(
            Resources.PRIORITY_CLASSES,
            Workload.tree(
                "{'kind':'PriorityClass','apiVersion':'scheduling.k8s.io/v1','metadata':{'name':'high'},'value':1000}")));
    for (int i = 0; i < nodes; i++) {
      JsonObject node = workload.node(i);
      done(admin.create(Resources.NODES, node));
      done(
          admin.patch(
              Target.of(Resources.NODES, ObjectName.of(node)),
              PatchType.MERGE,
              workload.nodeTaints(i)));
    }
    for (int i = 0; i < workload.placed; i++) {
      JsonObject pod = workload.placedPod(i);
      JsonObject spec = pod.object("spec").with("nodeName", Workload.nodeName(i % nodes));
      done(admin.create(Resources.PODS, pod.with("spec", spec)));
    }
    for (int i = 0; i < workload.measured; i++) {
      done(admin.create(Resources.PODS, workload.measuredPod(i)));
    }
  }

  private Outcome measure(Api admin, Scheduler scheduler) throws Exception {
    Semaphore told = new Semaphore(0);
    ListRequest bound = ListRequest.of(Resources.PODS).fields("spec.nodeName!=");
    ListResult.Page before = page(admin.list(bound));
    try (ApiWatch watch = admin.watch(bound.watchAfter(before.revision()), told::release)) {
      long allocatedBefore = THREADS.getTotalThreadAllocatedBytes();
      long began = System.nanoTime();
      scheduler.lead();
      int placed = 0;
      try (Intruders _ = Intruders.start(workload, pod -> admin.create(Resources.PODS, pod))) {
        while (placed < workload.measured) {
          if (watch.poll(1_000)
              instanceof ApiWatch.Poll.Events(List<ApiWatch.Event> events, var _)) {
            placed +=
                (int) events.stream().filter(e -> e.change() == ApiWatch.Change.ADDED).count();
            if (events.isEmpty() && !told.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
              throw new IOException(placed + " pods were placed, and then none for long");
            }
          } else {
            throw new IOException("the watch was lost");
          }
        }
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      long allocated = THREADS.getTotalThreadAllocatedBytes() - allocatedBefore;
      return new Outcome(
          placed / seconds,
          allocated / 1024.0 / placed,
          page(admin.list(ListRequest.of(Resources.NODES))).items(),
          page(admin.list(bound)).items());
    }
  }

  private static ListResult.Page page(ListResult result) throws IOException {
    return switch (result) {
      case ListResult.Page page -> page;
      case ApiResult.Failure failure -> throw new IOException(failure.message());
    };
  }

  private static void done(ApiResult result) throws IOException {
    if (result instanceof ApiResult.Failure failure) {
      throw new IOException(failure.message());
    }
  }
}
