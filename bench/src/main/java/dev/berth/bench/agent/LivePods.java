package dev.berth.bench.agent;

import dev.berth.bench.api.Berth;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.model.core.PodView;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.FatalError;
import dev.berth.time.Loop;
import dev.berth.time.WallTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Pods of a server as a client sees them: made, watched until they run, and deleted. */
final class LivePods implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 300_000;

  private final WallTime time = new WallTime(FatalError::end);
  private final HttpApi api;
  private final String image;
  private final Instant began;
  private final Set<String> there = new HashSet<>();
  private final Set<String> running = new HashSet<>();

  /** When it was seen that a pod is a node's, and that it runs; by name. */
  private final Map<String, Long> boundNanos = new HashMap<>();

  private final Map<String, Long> runningNanos = new HashMap<>();
  private boolean isReady;
  private boolean isAlive;

  LivePods(Berth berth) {
    this(berth, "any");
  }

  LivePods(Berth berth, String image) {
    this.image = image;
    began = berth.began();
    api =
        new HttpApi(
            Kubeconfig.read(berth.directory().resolve("admin.kubeconfig")).connection(),
            time,
            "bench");
    Loop loop = time.start("bench");
    new InformerSet(Informers.separate(api, time), loop, () -> {}, LoggerFactory.getLogger("bench"))
        .on(Resources.PODS, this::podChanged)
        .on(Resources.NODES, this::nodeChanged)
        .on(Resources.LEASES, this::leaseChanged)
        .start();
  }

  private synchronized void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      PodView gone = PodView.read(before == null ? JsonObject.EMPTY : before);
      there.remove(gone.name());
      running.remove(gone.name());
    } else {
      PodView pod = PodView.read(after);
      there.add(pod.name());
      if (!pod.spec().nodeName().isEmpty()) {
        boundNanos.putIfAbsent(pod.name(), System.nanoTime());
      }
      if (after.object("status").text("phase", "").equals("Running")) {
        running.add(pod.name());
        runningNanos.putIfAbsent(pod.name(), System.nanoTime());
      }
    }
    notifyAll();
  }

  private synchronized void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    isReady =
        after != null
            && Conditions.isTrue(after.object("status").array("conditions"), "Ready")
            && after.object("spec").array("taints").isEmpty();
    notifyAll();
  }

  /** A node that was there before this start still looks ready, so its lease counts, too. */
  private synchronized void leaseChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && Metadata.of(after).namespace().equals("kube-node-lease")) {
      String renewed = after.object("spec").text("renewTime", "");
      isAlive = !renewed.isEmpty() && Instant.parse(renewed).isAfter(began);
      notifyAll();
    }
  }

  /** Waits for a node that is ready; how many milliseconds after the server's launcher began. */
  double awaitNode() throws InterruptedException {
    await(() -> isReady && isAlive);
    return Duration.between(began, Instant.now()).toNanos() / 1e6;
  }

  /** Makes pods; how many milliseconds went by until the last of them ran. */
  double run(String name, int count) throws InterruptedException {
    List<String> names = IntStream.range(0, count).mapToObj(i -> name + "-" + i).toList();
    long began = System.nanoTime();
    names.parallelStream().forEach(this::createSleeping);
    awaitRunning(names);
    return (System.nanoTime() - began) / 1e6;
  }

  void awaitRunning(List<String> names) throws InterruptedException {
    await(() -> running.containsAll(names));
  }

  /** How long it took a pod that runs, from when it was seen on its node. */
  synchronized double boundToRunningMillis(String name) {
    return (runningNanos.getOrDefault(name, 0L) - boundNanos.getOrDefault(name, 0L)) / 1e6;
  }

  private void createSleeping(String name) {
    JsonObject container =
        JsonObject.of("name", "main")
            .with("image", image)
            .with("command", JsonArray.of("sleep", "100000"));
    JsonObject pod =
        JsonObject.of("apiVersion", "v1")
            .with("kind", "Pod")
            .with("metadata", JsonObject.of("name", name).with("namespace", "default"))
            .with(
                "spec",
                JsonObject.of("containers", JsonArray.of(container))
                    .with("terminationGracePeriodSeconds", 1L));
    create(Resources.PODS, pod);
  }

  void create(GroupVersionResource type, JsonObject object) {
    if (api.create(type, object) instanceof ApiResult.Failure why) {
      throw new IllegalStateException(why.message());
    }
  }

  void deleteAll() throws InterruptedException {
    List<String> names;
    synchronized (this) {
      names = List.copyOf(there);
    }
    names.parallelStream()
        .forEach(name ->
            api.delete(Resources.PODS, new ObjectName("default", name), DeleteOptions.NONE));
    await(there::isEmpty);
  }

  private synchronized void await(BooleanSupplier done) throws InterruptedException {
    long until = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (!done.getAsBoolean()) {
      long left = until - System.currentTimeMillis();
      if (left <= 0) {
        throw new IllegalStateException(
            "%d of %d pods run".formatted(running.size(), there.size()));
      }
      wait(left);
    }
  }

  @Override
  public void close() {
    api.close();
    time.close();
  }
}
