package dev.berth.sim.kubelet;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The kubelets of all nodes in one: pods that are bound run and are ready at once or after a while,
 * and those that are being deleted end. A kubelet can go silent, and then goes on running what it
 * runs; it can refuse pods, and leave them not ready.
 */
public final class TestKubelet implements AutoCloseable {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final Map<String, JsonObject> pods = new LinkedHashMap<>();
  private final Set<String> silent = new HashSet<>();
  private final Map<String, String> refusing = new HashMap<>();
  private final Set<String> broken = new HashSet<>();
  private final Map<String, Long> graces = new ConcurrentHashMap<>();

  /** By uid: pods about which a request is under way. */
  private final Set<String> busy = new HashSet<>();

  /** By uid: pods that are started, or soon will be. */
  private final Set<String> starting = new HashSet<>();

  /** By uid: pods that are stopped, or soon will be. */
  private final Set<String> stopping = new HashSet<>();

  private Duration startsAfter = Duration.ZERO;
  private Duration stopsAfter = Duration.ZERO;
  private int addresses;
  private boolean leavesUnready;

  /** By uid: what runs, wherever, whatever the server says. */
  private final Map<String, Running> running = new LinkedHashMap<>();

  private final List<String> doubles = new ArrayList<>();

  private record Running(ObjectName name, String node) {}

  private TestKubelet(Api api, Time time) {
    this.api = api;
    this.time = time;
    this.loop = time.start("test-kubelet");
    this.requests = new BoundedRequests(loop, 32);
    this.informers = new InformerSet(Informers.separate(api, time), loop, () -> {}, _ -> {});
    informers.on(Resources.PODS, this::podChanged);
  }

  public static TestKubelet start(Api api, Time time) {
    TestKubelet kubelet = new TestKubelet(api, time);
    kubelet.informers.start();
    return kubelet;
  }

  /** From now on, pods take so long to become ready. */
  public TestKubelet starting(Duration duration) {
    startsAfter = duration;
    return this;
  }

  /** From now on, pods take so long to end. */
  public TestKubelet stopping(Duration duration) {
    stopsAfter = duration;
    return this;
  }

  /** The kubelet of a node no longer hears or says anything. */
  public void silence(String node) {
    silent.add(node);
  }

  public boolean isSilent(String node) {
    return silent.contains(node);
  }

  /** The machine of a node is gone for good, with everything that runs on it. */
  public void destroy(String node) {
    silent.add(node);
    running.values().removeIf(r -> r.node().equals(node));
  }

  /** The kubelet of a node is back. */
  public void resume(String node) {
    silent.remove(node);
    running.entrySet().stream()
        .filter(r -> r.getValue().node().equals(node) && !pods.containsKey(r.getKey()))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(running::remove);
    List.copyOf(pods.values()).forEach(this::consider);
  }

  /** The kubelet of a node refuses pods for a reason. */
  public void refuse(String node, String reason) {
    refusing.put(node, reason);
  }

  /** The kubelet of a node takes pods again. */
  public void accept(String node) {
    refusing.remove(node);
  }

  /** From now on, pods run but do not become ready. */
  public void leaveUnready(boolean unready) {
    leavesUnready = unready;
  }

  /** From now on, pods of this image run, but never become ready. */
  public void breaks(String image) {
    broken.add(image);
  }

  /** With how much grace pods were deleted, by name. */
  public Map<String, Long> graces() {
    return graces;
  }

  /** Names under which two pods ran at once. */
  public List<String> doubles() {
    return doubles;
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    String uid = Metadata.of(told).uid();
    if (after != null) {
      pods.put(uid, after);
      consider(after);
      return;
    }
    pods.remove(uid);
    forget(uid);
    Running process = running.get(uid);
    if (process != null && !silent.contains(process.node())) {
      running.remove(uid);
    }
  }

  private void consider(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    String node = pod.object("spec").text("nodeName", "");
    String phase = pod.object("status").text("phase", "");
    if (node.isEmpty() || silent.contains(node) || busy.contains(metadata.uid())) {
      return;
    }
    if (phase.equals("Failed") || phase.equals("Succeeded")) {
      running.remove(metadata.uid());
    }
    if (metadata.isBeingDeleted()) {
      if (stopping.add(metadata.uid())) {
        graces.put(metadata.name(), metadata.deletionGracePeriodSeconds().orElse(-1));
        later(stopsAfter, metadata.uid(), this::stop);
      }
    } else if ((phase.isEmpty() || phase.equals("Pending")) && starting.add(metadata.uid())) {
      later(startsAfter, metadata.uid(), this::start);
    }
  }

  /** Does something with a pod after a while, if its kubelet is there and it is not gone. */
  private void later(Duration delay, String uid, Consumer<JsonObject> action) {
    Runnable now =
        () -> {
          JsonObject pod = pods.get(uid);
          if (pod != null && silent.contains(pod.object("spec").text("nodeName", ""))) {
            forget(uid);
          } else if (pod != null) {
            action.accept(pod);
          }
        };
    if (delay.isZero()) {
      now.run();
    } else {
      loop.after(delay, now);
    }
  }

  /** What was begun for a pod has to be begun again. */
  private void forget(String uid) {
    starting.remove(uid);
    stopping.remove(uid);
  }

  private void stop(JsonObject pod) {
    String uid = Metadata.of(pod).uid();
    running.remove(uid);
    DeleteOptions byForce = DeleteOptions.NONE.grace(0).onlyUid(uid);
    ask(pod, () -> api.delete(Resources.PODS, ObjectName.of(pod), byForce));
  }

  private void start(JsonObject pod) {
    String node = pod.object("spec").text("nodeName", "");
    String reason = refusing.getOrDefault(node, "");
    if (Metadata.of(pod).isBeingDeleted()) {
      return;
    }
    if (!reason.isEmpty()) {
      ask(pod, () -> PodWrites.patch(api, pod, failed(reason)));
      return;
    }
    ObjectName name = ObjectName.of(pod);
    String uid = Metadata.of(pod).uid();
    running.forEach((other, process) -> {
      if (process.name().equals(name) && !other.equals(uid)) {
        doubles.add(name + " on " + node + " while another runs on " + process.node());
      }
    });
    running.put(uid, new Running(name, node));
    String image = pod.object("spec").array("containers").objects().getFirst().text("image", "");
    JsonObject status = runningStatus(!leavesUnready && !broken.contains(image));
    ask(pod, () -> PodWrites.patch(api, pod, status));
  }

  private JsonObject runningStatus(boolean ready) {
    JsonObject condition =
        new JsonObject.Builder()
            .put("type", "Ready")
            .put("status", ready ? "True" : "False")
            .put("lastTransitionTime", Times.format(time.now()))
            .build();
    addresses++;
    String ip = "10.1.%d.%d".formatted(addresses / 250, addresses % 250);
    return new JsonObject.Builder()
        .put("phase", "Running")
        .put("podIP", ip)
        .put("podIPs", JsonArray.of(JsonObject.of("ip", ip)))
        .put("conditions", JsonArray.of(condition))
        .build();
  }

  private static JsonObject failed(String reason) {
    return new JsonObject.Builder().put("phase", "Failed").put("reason", reason).build();
  }

  private void ask(JsonObject pod, Supplier<ApiResult> request) {
    String uid = Metadata.of(pod).uid();
    busy.add(uid);
    requests.run(
        request,
        result -> {
          busy.remove(uid);
          JsonObject now = pods.get(uid);
          if (!result.isDone() && !result.isNotFound() && !result.isConflict()) {
            forget(uid);
            loop.after(
                RETRY,
                () -> {
                  JsonObject later = pods.get(uid);
                  if (later != null) {
                    consider(later);
                  }
                });
          } else if (now != null
              && Metadata.of(now).isBeingDeleted()
              && !Metadata.of(pod).isBeingDeleted()) {
            consider(now);
          }
        });
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
