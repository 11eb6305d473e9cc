package dev.berth.agent.pod;

import dev.berth.agent.node.NodeState;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows static pods on the server: for each there is a mirror, which says whose it is by the hash
 * of the static pod. One that somebody deletes, or that shows a pod as it was, is replaced; one
 * that shows none is deleted once all static pods are known. Lives on the loop of the pods.
 */
final class MirrorPods {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);

  /** How soon to look again whether the node is known, to which mirrors belong. */
  private static final Duration NODE_CHECK = Duration.ofSeconds(1);

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final BoundedRequests requests;
  private final NodeState node;
  private final Backoff backoff;
  private final Map<ObjectName, JsonObject> wanted = new LinkedHashMap<>();
  private final Map<ObjectName, JsonObject> mirrors = new LinkedHashMap<>();
  private final Set<ObjectName> underWay = new HashSet<>();
  private boolean isWaiting;
  private boolean areAllKnown;

  MirrorPods(Api api, Loop loop, Time time, BoundedRequests requests, NodeState node) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.requests = requests;
    this.node = node;
    this.backoff = new Backoff(time.random("mirror pods"));
  }

  /**
   * These are the static pods now.
   *
   * @param areAll whether there cannot be others that were not read yet
   */
  void wanted(Collection<JsonObject> pods, boolean areAll) {
    wanted.clear();
    pods.forEach(pod -> wanted.put(ObjectName.of(pod), pod));
    areAllKnown = areAll;
    reconcile();
  }

  /** The server shows a mirror, or no longer does. */
  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      mirrors.put(ObjectName.of(after), after);
    } else if (before != null) {
      mirrors.remove(ObjectName.of(before));
    }
    reconcile();
  }

  /** The mirror of a static pod; empty if there is none, or one that is to be replaced. */
  Optional<JsonObject> of(JsonObject pod) {
    return Optional.ofNullable(mirrors.get(ObjectName.of(pod)))
        .filter(mirror -> shows(mirror, pod));
  }

  /** Whether a mirror has the name of a static pod. */
  static boolean isOf(JsonObject mirror, JsonObject pod) {
    return ObjectName.of(mirror).equals(ObjectName.of(pod));
  }

  private static boolean shows(JsonObject mirror, JsonObject pod) {
    Metadata metadata = Metadata.of(mirror);
    return !metadata.isBeingDeleted()
        && metadata
            .annotation(WellKnownAnnotations.CONFIG_MIRROR)
            .equals(Metadata.of(pod).annotation(WellKnownAnnotations.CONFIG_HASH));
  }

  private void reconcile() {
    for (JsonObject mirror : List.copyOf(mirrors.values())) {
      JsonObject pod = wanted.get(ObjectName.of(mirror));
      if (pod == null ? areAllKnown : !shows(mirror, pod)) {
        DeleteOptions options = DeleteOptions.NONE.grace(0).onlyUid(Metadata.of(mirror).uid());
        request(
            ObjectName.of(mirror),
            () -> api.delete(Resources.PODS, ObjectName.of(mirror), options));
      }
    }
    Optional<JsonObject> owner = node.node();
    for (JsonObject pod : wanted.values()) {
      if (!mirrors.containsKey(ObjectName.of(pod))) {
        if (owner.isEmpty()) {
          waitFor(NODE_CHECK);
          return;
        }
        request(ObjectName.of(pod), () -> api.create(Resources.PODS, mirror(pod, owner.get())));
      }
    }
  }

  private void request(ObjectName name, Supplier<ApiResult> request) {
    if (!underWay.add(name)) {
      return;
    }
    requests.run(
        request,
        result -> {
          underWay.remove(name);
          switch (result) {
            case ApiResult.Done _ -> {
              backoff.succeeded();
              // The watch may have shown what was done before this was known.
              reconcile();
            }
            case ApiResult.Failure failure -> {
              if (!failure.isNotFound() && !failure.isAlreadyExists()) {
                LOG.warn("mirror pod {}: {}", name, failure.message());
              }
              waitFor(backoff.failed(time.monotonicNow(), failure));
            }
          }
        });
  }

  private void waitFor(Duration delay) {
    if (!isWaiting) {
      isWaiting = true;
      loop.after(
          delay,
          () -> {
            isWaiting = false;
            reconcile();
          });
    }
  }

  private static JsonObject mirror(JsonObject pod, JsonObject node) {
    Metadata metadata = Metadata.of(pod);
    String hash = metadata.annotation(WellKnownAnnotations.CONFIG_HASH).orElse("");
    JsonObject owner =
        new JsonObject.Builder()
            .put("apiVersion", "v1")
            .put("kind", "Node")
            .put("name", Metadata.of(node).name())
            .put("uid", Metadata.of(node).uid())
            .put("controller", true)
            .build();
    JsonObject shown =
        metadata
            .tree()
            .without("uid")
            .without("creationTimestamp")
            .with(
                "annotations",
                metadata.annotations().with(WellKnownAnnotations.CONFIG_MIRROR, hash))
            .with("ownerReferences", JsonArray.of(owner));
    return pod.with("metadata", shown).without("status");
  }
}
