package dev.berth.sim.replicaset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.InformerSet;
import dev.berth.client.Informers;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a test: binds pods to one after the other if there is no scheduler, has them run and
 * ready after a while, and confirms their deletion. Pods of an image that is broken run, but are
 * never ready.
 */
public final class TestKubelet implements AutoCloseable {
  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final int binds;
  private final Duration starts;
  private final Duration stops;
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private final Set<String> lost = ConcurrentHashMap.newKeySet();
  private int bound;

  /**
   * @param binds to how many nodes it binds pods; none if a scheduler does
   * @param starts how long a pod takes to be ready
   * @param stops how long a pod takes to end
   */
  public TestKubelet(Api api, Time time, int binds, Duration starts, Duration stops) {
    this.api = api;
    this.time = time;
    this.binds = binds;
    this.starts = starts;
    this.stops = stops;
    this.loop = time.start("test-kubelet");
    this.requests = new BoundedRequests(loop, 32);
    this.informers = new InformerSet(Informers.separate(api, time), loop, () -> {}, _ -> {});
    informers.on(Resources.PODS, this::changed);
    informers.start();
  }

  /** From now on, pods of this image never become ready. */
  public void breaks(String image) {
    broken.add(image);
  }

  /** From now on, nobody confirms or reports anything about pods on this node. */
  public void loses(String node) {
    lost.add(node);
  }

  /** The node is back. */
  public void finds(String node) {
    lost.remove(node);
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      return;
    }
    String node = after.object("spec").text("nodeName", "");
    boolean wasDeleted = before != null && Metadata.of(before).isBeingDeleted();
    boolean wasBound = before != null && !before.object("spec").text("nodeName", "").isEmpty();
    if (lost.contains(node)) {
      return;
    }
    if (Metadata.of(after).isBeingDeleted()) {
      if (!wasDeleted) {
        later(stops, () -> remove(after));
      }
    } else if (node.isEmpty() && binds > 0) {
      if (before == null) {
        String name = nextNode();
        later(Duration.ZERO, () -> bind(after, name));
      }
    } else if (!node.isEmpty() && !wasBound) {
      later(starts, () -> start(after));
    }
  }

  private String nextNode() {
    for (int i = 0; i < binds; i++) {
      bound++;
      if (!lost.contains("n" + bound % binds)) {
        break;
      }
    }
    return "n" + bound % binds;
  }

  private void later(Duration delay, Supplier<ApiResult> request) {
    if (delay.isZero()) {
      requests.run(request, _ -> {});
    } else {
      loop.after(delay, () -> requests.run(request, _ -> {}));
    }
  }

  private ApiResult remove(JsonObject pod) {
    return api.delete(
        Resources.PODS,
        ObjectName.of(pod),
        DeleteOptions.NONE.grace(0).onlyUid(Metadata.of(pod).uid()));
  }

  private ApiResult bind(JsonObject pod, String node) {
    JsonObject target = new JsonObject.Builder().put("kind", "Node").put("name", node).build();
    JsonObject binding =
        new JsonObject.Builder()
            .put("kind", "Binding")
            .put("apiVersion", "v1")
            .put("metadata", JsonObject.of("name", Metadata.of(pod).name()))
            .put("target", target)
            .build();
    return api.create(
        Target.of(Resources.PODS, ObjectName.of(pod)).subresource("binding"), binding);
  }

  private ApiResult start(JsonObject pod) {
    String image = pod.object("spec").array("containers").objects().getFirst().text("image", "");
    JsonObject ready =
        new JsonObject.Builder()
            .put("type", "Ready")
            .put("status", broken.contains(image) ? Conditions.FALSE : Conditions.TRUE)
            .put("lastTransitionTime", Times.format(time.now()))
            .build();
    JsonObject status =
        new JsonObject.Builder()
            .put("phase", "Running")
            .put("conditions", JsonArray.of(ready))
            .build();
    return PodWrites.patch(api, pod, status);
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
