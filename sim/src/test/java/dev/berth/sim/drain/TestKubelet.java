package dev.berth.sim.drain;

import static dev.berth.sim.VirtualCluster.tree;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.InformerSet;
import dev.berth.client.Informers;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The least that pods need: whoever is bound runs and is ready at once, whoever is deleted is gone
 * at once, and a pod of a ReplicaSet that is gone comes back on the node {@code spare}.
 */
final class TestKubelet implements AutoCloseable {
  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final Queue<Object> failures;
  private final Map<String, JsonObject> pods = new HashMap<>();
  private final Set<String> done = new HashSet<>();
  private final Map<String, Long> graces = new ConcurrentHashMap<>();
  private int started;
  private volatile int fewestHealthy = Integer.MAX_VALUE;

  TestKubelet(Api api, Time time, Queue<Object> failures) {
    this.api = api;
    this.failures = failures;
    this.loop = time.start("kubelet");
    this.requests = new BoundedRequests(loop, 4);
    this.informers = new InformerSet(Informers.separate(api, time), loop, () -> {}, failures::add);
    informers.on(Resources.PODS, this::changed).start();
  }

  /** With how much grace pods were deleted, by name. */
  Map<String, Long> graces() {
    return graces;
  }

  /** How few pods of ReplicaSets were ever ready at once, since the most were. */
  int fewestHealthy() {
    return fewestHealthy;
  }

  /** From now on it is counted how few pods are healthy. */
  void beginToCount() {
    fewestHealthy = Integer.MAX_VALUE - 1;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      if (before != null && pods.remove(Metadata.of(before).uid()) != null) {
        replace(before);
      }
      return;
    }
    Metadata metadata = Metadata.of(after);
    pods.put(metadata.uid(), after);
    count();
    boolean bound = !after.object("spec").text("nodeName", "").isEmpty();
    PodPhase phase = PodPhase.of(after.object("status").text("phase", ""));
    if (metadata.isBeingDeleted()) {
      if (done.add("stop " + metadata.uid())) {
        graces.put(metadata.name(), metadata.deletionGracePeriodSeconds().orElse(-1));
        DeleteOptions now = DeleteOptions.NONE.grace(0).onlyUid(metadata.uid());
        send(() -> api.delete(Resources.PODS, ObjectName.of(after), now));
      }
    } else if (bound && phase == PodPhase.PENDING && done.add("start " + metadata.uid())) {
      String ip = "10.1.0." + ++started;
      JsonObject status =
          tree(
              "{'status':{'phase':'Running','podIP':'%s','podIPs':[{'ip':'%s'}],'conditions':[{'type':'Ready','status':'True'}]}}"
                  .formatted(ip, ip));
      Target target = Target.of(Resources.PODS, ObjectName.of(after)).subresource("status");
      send(() -> api.patch(target, PatchType.MERGE, status));
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
    if (metadata.controller().filter(owner -> owner.kind().equals("ReplicaSet")).isPresent()) {
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
      send(() -> api.create(Resources.PODS, JsonObject.of("metadata", fresh).with("spec", spec)));
    }
  }

  private void send(Supplier<ApiResult> request) {
    requests.run(
        request,
        result -> {
          if (!result.isDone() && !result.isNotFound()) {
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
