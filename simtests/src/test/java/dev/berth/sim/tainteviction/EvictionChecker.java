package dev.berth.sim.tainteviction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stands between one controller and the server, remembers what the controller was told of nodes,
 * and judges each deletion that the server takes from it: by the pod as it is at that moment, and
 * by the node as the controller could know it. On virtual time a request is made at the instant at
 * which it was decided, so that is what it was told last before this instant, or at this instant.
 */
final class EvictionChecker implements Api {
  private final VirtualCluster cluster;
  private final Api real;
  private final Map<String, List<Seen>> nodes = new HashMap<>();
  private final Beginnings beginnings;
  private final Runnable evicted;

  /** A node as the controller saw it; an empty tree if it was gone. */
  private record Seen(Instant when, JsonObject node) {}

  EvictionChecker(VirtualCluster cluster, Api real, Beginnings beginnings, Runnable evicted) {
    this.cluster = cluster;
    this.real = real;
    this.beginnings = beginnings;
    this.evicted = evicted;
  }

  private void seen(String node, JsonObject tree) {
    Instant now = cluster.time().now();
    List<Seen> all = nodes.computeIfAbsent(node, _ -> new ArrayList<>());
    while (all.size() > 1 && all.get(1).when().isBefore(now)) {
      all.removeFirst();
    }
    all.add(new Seen(now, tree));
  }

  @Override
  public ApiResult send(ApiRequest request) {
    if (!(request instanceof ApiRequest.Delete delete)) {
      return real.send(request);
    }
    ApiResult before = cluster.admin().get(Resources.PODS, delete.target().name());
    ApiResult result = real.send(request);
    if (result.isDone() && before instanceof ApiResult.Done(JsonObject pod)) {
      judge(pod);
      evicted.run();
    }
    return result;
  }

  private void judge(JsonObject pod) {
    Instant now = cluster.time().now();
    String nodeName = pod.object("spec").text("nodeName", "");
    List<Seen> all = nodes.getOrDefault(nodeName, List.of());
    List<JsonObject> known = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean isLastBeforeNow = i + 1 == all.size() || !all.get(i + 1).when().isBefore(now);
      if (isLastBeforeNow) {
        known.add(all.get(i).node());
      }
    }
    assertThat(known)
        .as(
            "%s: the pod is evicted and should be, by one of these states of its node: %s",
            now, pod)
        .anySatisfy(node ->
            assertThat(ReferenceEvictionTime.of(pod, node, beginnings)).isBeforeOrEqualTo(now));
    assertThat(
            Conditions.find(pod.object("status").array("conditions"), "DisruptionTarget")
                .map(condition -> condition.text("reason")))
        .as("%s: the pod says why", now)
        .contains("DeletionByTaintManager");
  }

  @Override
  public ListResult list(ListRequest request) {
    ListResult result = real.list(request);
    if (request.resource().equals(Resources.NODES) && result instanceof ListResult.Page page) {
      Map<String, JsonObject> listed = new HashMap<>();
      page.items().forEach(node -> listed.put(ObjectName.of(node).name(), node));
      nodes.keySet().forEach(name -> listed.putIfAbsent(name, JsonObject.EMPTY));
      listed.forEach(this::seen);
    }
    return result;
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    ApiWatch watch = real.watch(request, onReady);
    if (!request.resource().equals(Resources.NODES)) {
      return watch;
    }
    return new ApiWatch() {
      @Override
      public Poll poll(int limit) {
        Poll poll = watch.poll(limit);
        if (poll instanceof Poll.Events(List<Event> events, var _)) {
          for (Event event : events) {
            boolean gone = event.change() == Change.DELETED;
            seen(ObjectName.of(event.object()).name(), gone ? JsonObject.EMPTY : event.object());
          }
        }
        return poll;
      }

      @Override
      public void close() {
        watch.close();
      }
    };
  }
}
