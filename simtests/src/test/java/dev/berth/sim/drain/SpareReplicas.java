package dev.berth.sim.drain;

import static dev.berth.sim.VirtualCluster.tree;

import dev.berth.client.Api;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Replaces each pod of a ReplicaSet that is gone by one on the node {@code spare}, and counts how
 * few were ever healthy at once.
 */
final class SpareReplicas implements AutoCloseable {
  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final Queue<Object> failures;
  private final Map<String, JsonObject> pods = new HashMap<>();
  private volatile int fewestHealthy = Integer.MAX_VALUE;

  SpareReplicas(Api api, Time time, Queue<Object> failures) {
    this.api = api;
    this.failures = failures;
    this.loop = time.start("spare-replicas");
    this.requests = new BoundedRequests(loop, 4);
    this.informers = new InformerSet(Informers.separate(api, time), loop, () -> {}, failures::add);
    informers.on(Resources.PODS, this::changed).start();
  }

  /** How few pods of ReplicaSets were ever ready at once, since {@link #beginToCount}. */
  int fewestHealthy() {
    return fewestHealthy;
  }

  /** From now on it is counted how few pods are healthy. */
  void beginToCount() {
    fewestHealthy = Integer.MAX_VALUE - 1;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      pods.put(Metadata.of(after).uid(), after);
      count();
    } else if (before != null && pods.remove(Metadata.of(before).uid()) != null) {
      replace(before);
    }
  }

  private void count() {
    if (fewestHealthy < Integer.MAX_VALUE) {
      long healthy =
          pods.values().stream()
              .filter(pod -> Metadata.of(pod).controller().isPresent())
              .filter(pod -> !Metadata.of(pod).isBeingDeleted())
              .filter(pod -> pod.object("status").text("phase", "").equals("Running"))
              .count();
      fewestHealthy = Math.min(fewestHealthy, (int) healthy);
    }
  }

  private void replace(JsonObject gone) {
    Metadata metadata = Metadata.of(gone);
    if (metadata.controller().filter(owner -> owner.kind().equals("ReplicaSet")).isEmpty()) {
      return;
    }
    JsonObject fresh =
        new JsonObject.Builder()
            .put("generateName", "again-")
            .put("namespace", metadata.namespace())
            .put("labels", metadata.labels())
            .put("ownerReferences", metadata.tree().array("ownerReferences"))
            .build();
    JsonObject container = tree("{'name':'c','image':'i'}");
    JsonObject spec =
        JsonObject.of("nodeName", "spare").with("containers", JsonArray.of(container));
    requests.run(
        () -> api.create(Resources.PODS, JsonObject.of("metadata", fresh).with("spec", spec)),
        result -> {
          if (!result.isDone()) {
            failures.add(result);
          }
        });
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
