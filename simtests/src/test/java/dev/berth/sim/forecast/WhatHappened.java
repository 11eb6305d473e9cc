package dev.berth.sim.forecast;

import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Watches the pods of a cluster, and notes when each was asked to leave. */
final class WhatHappened implements AutoCloseable {
  private final ApiWatch watch;
  private final Map<String, JsonObject> pods = new HashMap<>();

  /** When pods were deleted, by UID, in whole seconds. */
  private final Map<String, Instant> left = new HashMap<>();

  /** The fewest ready pods of each controller, by its name. */
  private final Map<String, Integer> fewest = new HashMap<>();

  WhatHappened(VirtualCluster cluster) {
    ListRequest all = ListRequest.of(Resources.PODS);
    if (!(cluster.admin().list(all) instanceof ListResult.Page page)) {
      throw new AssertionError("the pods cannot be listed");
    }
    page.items().forEach(pod -> pods.put(Metadata.of(pod).uid(), pod));
    count();
    watch = cluster.admin().watch(all.watchAfter(page.revision()), () -> {});
  }

  /** Takes note of what happened since. */
  void look() {
    while (watch.poll(1_000) instanceof ApiWatch.Poll.Events(var events, var _)
        && !events.isEmpty()) {
      for (ApiWatch.Event event : events) {
        JsonObject pod = event.object();
        String uid = Metadata.of(pod).uid();
        Metadata.of(pod)
            .deletionTimestamp()
            .ifPresent(deadline ->
                left.putIfAbsent(
                    uid,
                    deadline.minusSeconds(
                        Metadata.of(pod).deletionGracePeriodSeconds().orElse(0))));
        if (event.change() == ApiWatch.Change.DELETED) {
          pods.remove(uid);
        } else {
          pods.put(uid, pod);
        }
        count();
      }
    }
  }

  private void count() {
    Map<String, Integer> ready = new HashMap<>();
    for (JsonObject tree : pods.values()) {
      PodTree pod = new PodTree(tree);
      ready.merge(controller(tree), pod.ready() && !pod.terminating() ? 1 : 0, Integer::sum);
    }
    fewest.keySet().forEach(name -> ready.putIfAbsent(name, 0));
    ready.forEach((name, count) -> fewest.merge(name, count, Math::min));
  }

  private static String controller(JsonObject pod) {
    return Metadata.of(pod).controller().map(OwnerReference::name).orElse("");
  }

  /** When a pod was asked to leave; {@link Instant#MAX} if it was not. */
  Instant left(String uid) {
    return left.getOrDefault(uid, Instant.MAX);
  }

  int fewestReady(String controller) {
    return fewest.getOrDefault(controller, 0);
  }

  /** The pods that have no node, and are not on their way out. */
  Set<String> pending() {
    Set<String> names = new HashSet<>();
    for (JsonObject tree : pods.values()) {
      PodTree pod = new PodTree(tree);
      if (!pod.isBound() && !pod.terminating()) {
        names.add(pod.name().toString());
      }
    }
    return names;
  }

  @Override
  public void close() {
    watch.close();
  }
}
