package dev.berth.controllers.daemonset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.Adoption;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.Ownership;
import dev.berth.time.Loop;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods that a DaemonSet selects and nobody owns, which it adopts, and pods that it owns and does
 * not select, which it lets go; {@link Ownership} says which.
 */
final class Strays {
  private static final int AT_ONCE = 8;

  private final Adoption adoption;
  private final BoundedRequests requests;
  private final Consumer<TrackedSet> failed;

  /** By namespace, then by uid: those that nobody controls. */
  private final Map<String, Map<String, JsonObject>> orphans = new HashMap<>();

  /**
   * @param failed told when something was not done
   */
  Strays(Api api, Loop loop, Consumer<TrackedSet> failed) {
    this.adoption = new Adoption(api, Resources.DAEMON_SETS, Resources.PODS);
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.failed = failed;
  }

  void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    Metadata metadata = Metadata.of(told);
    if (after != null && isOrphan(after)) {
      orphans
          .computeIfAbsent(metadata.namespace(), _ -> new LinkedHashMap<>())
          .put(metadata.uid(), after);
      return;
    }
    Map<String, JsonObject> there = orphans.get(metadata.namespace());
    if (there != null && there.remove(metadata.uid()) != null && there.isEmpty()) {
      orphans.remove(metadata.namespace());
    }
  }

  boolean isOrphan(JsonObject pod) {
    return Metadata.of(pod).controller().isEmpty();
  }

  /** The orphans that a set selects. */
  List<JsonObject> of(TrackedSet set) {
    return orphans.getOrDefault(set.name.namespace(), Map.of()).values().stream()
        .filter(pod -> set.selector.matches(Metadata.of(pod).labels()))
        .toList();
  }

  /** Adopts and lets go what is to be. */
  void settle(TrackedSet set) {
    JsonObject tree = set.tree;
    if (tree == null || set.strays.isEmpty()) {
      return;
    }
    Ownership ownership = Ownership.of(tree, set.selector, set.strays.values());
    set.strays.clear();
    for (JsonObject pod : ownership.adopt()) {
      requests.run(() -> adoption.adopt(tree, pod), result -> ended(set, pod, result));
    }
    for (JsonObject pod : ownership.release()) {
      requests.run(() -> adoption.release(set.uid, pod), result -> ended(set, pod, result));
    }
  }

  private void ended(TrackedSet set, JsonObject pod, ApiResult result) {
    if (result.isDone() || result.isNotFound()) {
      return;
    }
    set.strays.putIfAbsent(Metadata.of(pod).uid(), pod);
    failed.accept(set);
  }
}
