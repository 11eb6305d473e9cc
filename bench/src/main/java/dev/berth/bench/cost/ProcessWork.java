package dev.berth.bench.cost;

import com.sun.management.ThreadMXBean;
import dev.berth.apiserver.LocalApi;
import dev.berth.bench.Figure;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.hollow.pod.PodRun;
import dev.berth.hollow.pod.PodStatusBuilder;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.User;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The server's own part of a pod's writes and of a lease's patch: requests of one thread within one
 * process to an API over a store in memory. What other threads and other processes do meanwhile
 * does not count, so a change of this part shows on a machine that is busy, too.
 */
final class ProcessWork {
  private static final int EACH = 2_500;
  private static final int LEASES = 1_000;
  private static final int WARM_UP = 5;
  private static final int ROUNDS = 5;
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private static final String POD =
      """
      {"metadata":{"generateName":"pod-","namespace":"default","labels":{"app":"bench"}},
       "spec":{"terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i",
        "resources":{"requests":{"cpu":"10m","memory":"10Mi"}}}]}}
      """;

  private final Api creator;
  private final Api scheduler;
  private final Api node;
  private final Map<Figure, List<Double>> measured = new LinkedHashMap<>();
  private boolean counts;

  private ProcessWork(LocalApi server) {
    User admin = User.authenticated("admin", List.of("system:masters"));
    creator = server.api(admin, "bench");
    scheduler = server.api(admin, "kube-scheduler");
    node = server.api(admin, "kubelet");
  }

  static void measure() throws Exception {
    try (MemoryStore store = new MemoryStore();
        WallTime time = new WallTime(failure -> System.err.println(failure));
        LocalApi server =
            LocalApi.open(store, time, (method, path, cause) -> System.err.println(cause))) {
      ProcessWork work = new ProcessWork(server);
      work.prepare();
      for (int round = 0; round < WARM_UP + ROUNDS; round++) {
        work.counts = round >= WARM_UP;
        work.pods();
        work.leases(round);
      }
      work.measured.forEach((figure, values) ->
          figure.print(values.stream().mapToDouble(Double::doubleValue).toArray()));
    }
  }

  private void prepare() throws IOException {
    for (int i = 0; i < LEASES; i++) {
      JsonObject metadata =
          new JsonObject.Builder().put("name", "l" + i).put("namespace", "default").build();
      done(creator.create(Resources.LEASES, JsonObject.of("metadata", metadata)));
    }
  }

  private void pods() throws IOException {
    JsonObject pod = JsonReader.object(bytes(POD), JsonLimits.REQUEST);
    List<JsonObject> pods = new ArrayList<>();
    work("pod created", EACH, _ -> pods.add(done(creator.create(Resources.PODS, pod))));
    work("… bound", EACH, i -> done(scheduler.create(binding(pods.get(i)), bound(pods.get(i)))));
    work("… its event", EACH, i -> done(scheduler.create(Resources.EVENTS, event(pods.get(i)))));
    pods.replaceAll(one -> read(one));
    List<JsonObject> statuses = pods.stream().map(ProcessWork::status).toList();
    work("… its status", EACH, i -> done(PodWrites.patch(node, pods.get(i), statuses.get(i))));
    work("… deleted", EACH, i -> done(creator.delete(Resources.PODS, ObjectName.of(pods.get(i)))));
  }

  private JsonObject read(JsonObject pod) {
    return creator.get(Resources.PODS, ObjectName.of(pod)) instanceof ApiResult.Done(var tree)
        ? tree
        : pod;
  }

  private void leases(int round) throws IOException {
    work(
        "lease's patch",
        EACH,
        i -> {
          Instant time = Instant.EPOCH.plusSeconds(round * (long) EACH + i);
          JsonObject spec = JsonObject.of("renewTime", Times.formatMicro(time));
          Target target = Target.of(Resources.LEASES, new ObjectName("default", "l" + i % LEASES));
          done(node.patch(target, PatchType.MERGE, JsonObject.of("spec", spec)));
        });
  }

  private static Target binding(JsonObject pod) {
    return Target.of(Resources.PODS, ObjectName.of(pod)).subresource("binding");
  }

  private static JsonObject bound(JsonObject pod) {
    Metadata of = Metadata.of(pod);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", of.name())
            .put("namespace", of.namespace())
            .put("uid", of.uid())
            .build();
    return new JsonObject.Builder()
        .put("kind", "Binding")
        .put("apiVersion", "v1")
        .put("metadata", metadata)
        .put("target", new JsonObject.Builder().put("kind", "Node").put("name", "n1").build())
        .build();
  }

  private static JsonObject event(JsonObject pod) {
    Metadata of = Metadata.of(pod);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", of.name() + "." + of.uid().substring(0, 8))
            .put("namespace", of.namespace())
            .build();
    JsonObject regarding =
        new JsonObject.Builder()
            .put("kind", "Pod")
            .put("namespace", of.namespace())
            .put("name", of.name())
            .put("uid", of.uid())
            .put("apiVersion", "v1")
            .put("resourceVersion", of.resourceVersion())
            .build();
    return new JsonObject.Builder()
        .put("kind", "Event")
        .put("apiVersion", "events.k8s.io/v1")
        .put("metadata", metadata)
        .put("eventTime", Times.formatMicro(Instant.now()))
        .put("reportingController", "default-scheduler")
        .put("reportingInstance", "default-scheduler-bench")
        .put("action", "Binding")
        .put("reason", "Scheduled")
        .put("regarding", regarding)
        .put("note", "Successfully assigned default/" + of.name() + " to n1")
        .put("type", "Normal")
        .build();
  }

  private static JsonObject status(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    Instant now = Instant.now();
    String address = "10.128." + ((pod.hashCode() >>> 8) & 127) + "." + (pod.hashCode() & 127);
    PodRun run = PodRun.accepted(spec, now).started(spec, List.of(address), now);
    return PodStatusBuilder.of(pod, "10.0.0.1", run, true, now);
  }

  /** One of many things that are alike. */
  private interface Item {
    void run(int i) throws IOException;
  }

  private void work(String what, int items, Item item) throws IOException {
    long thread = Thread.currentThread().threadId();
    long cpu = THREADS.getCurrentThreadCpuTime();
    long bytes = THREADS.getThreadAllocatedBytes(thread);
    for (int i = 0; i < items; i++) {
      item.run(i);
    }
    if (counts) {
      double micros = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3 / items;
      double kilobytes = (THREADS.getThreadAllocatedBytes(thread) - bytes) / 1e3 / items;
      add(Figure.forComparison(what, "us"), micros);
      add(Figure.forComparison("  allocated", "KB, " + what), kilobytes);
    }
  }

  private void add(Figure figure, double value) {
    measured.computeIfAbsent(figure, _ -> new ArrayList<>()).add(value);
  }

  private static JsonObject done(ApiResult result) throws IOException {
    return switch (result) {
      case ApiResult.Done(JsonObject tree) -> tree;
      case ApiResult.Failure failure -> throw new IOException(failure.message());
    };
  }

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
