package dev.berth.sim.kubelet;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a scheduler where a test has no Node objects: binds pods to {@code n0}, {@code n1}
 * and so on in turn, passing over nodes that are silent.
 */
public final class RoundRobinBinder implements AutoCloseable {
  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final TestKubelet kubelet;
  private final int nodes;
  private int next;

  public RoundRobinBinder(Api api, Time time, TestKubelet kubelet, int nodes) {
    this.api = api;
    this.kubelet = kubelet;
    this.nodes = nodes;
    this.loop = time.start("test-binder");
    this.requests = new BoundedRequests(loop, 32);
    this.informers = new InformerSet(Informers.separate(api, time), loop, () -> {}, _ -> {});
    informers.on(Resources.PODS, this::podChanged);
    informers.start();
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before == null
        && after != null
        && after.object("spec").text("nodeName", "").isEmpty()
        && !Metadata.of(after).isBeingDeleted()) {
      String node = nextNode();
      requests.run(() -> bind(api, after, node), _ -> {});
    }
  }

  private String nextNode() {
    for (int i = 0; i < nodes; i++) {
      next++;
      if (!kubelet.isSilent("n" + next % nodes)) {
        break;
      }
    }
    return "n" + next % nodes;
  }

  /** Assigns a pod to a node. */
  public static ApiResult bind(Api api, JsonObject pod, String node) {
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

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
