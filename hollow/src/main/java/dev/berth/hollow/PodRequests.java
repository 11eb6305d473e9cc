package dev.berth.hollow;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.util.function.Consumer;

/**
 * What nodes ask the server to do with their pods: to take note of their status, and to let them go
 * once nothing of them runs. One request about a pod is under way at a time. What fails is tried
 * again while the pod is there and its node speaks; what a silent node would have said waits until
 * it is back.
 *
 * <p>Belongs to the loop of {@link HollowNodes}.
 */
final class PodRequests {
  private final Api api;
  private final Loop loop;
  private final BoundedRequests requests;
  private final Consumer<HollowPod> next;

  /**
   * @param next told of pods about which something was to be said while a request was under way, or
   *     whose request failed some time ago
   */
  PodRequests(Api api, Loop loop, BoundedRequests requests, Consumer<HollowPod> next) {
    this.api = api;
    this.loop = loop;
    this.requests = requests;
    this.next = next;
  }

  /** Posts the status of a pod. */
  void post(HollowPod pod, JsonObject status) {
    JsonObject tree = pod.tree;
    pod.changed = false;
    pod.underWay = true;
    requests.run(
        () -> isStillWanted(pod),
        () -> PodWrites.patch(api, tree, status),
        result -> posted(pod, result));
  }

  private void posted(HollowPod pod, ApiResult result) {
    pod.underWay = false;
    switch (result) {
      case ApiResult.Done(JsonObject tree) -> {
        pod.failures = 0;
        if (!Revisions.isOlder(tree, pod.tree)) {
          pod.tree = tree;
        }
        next.accept(pod);
      }
      case ApiResult.Failure failure -> failed(pod, failure);
    }
  }

  /**
   * Deletes a pod that has ended.
   *
   * @param lastWords its last status; empty if nothing is to be said
   */
  void delete(HollowPod pod, JsonObject lastWords) {
    JsonObject tree = pod.tree;
    pod.changed = false;
    pod.underWay = true;
    requests.run(
        () -> isStillWanted(pod),
        () -> {
          if (!lastWords.isEmpty()) {
            ApiResult said = PodWrites.patch(api, tree, lastWords);
            if (!said.isDone()) {
              return said;
            }
          }
          return api.delete(
              Resources.PODS,
              ObjectName.of(tree),
              DeleteOptions.NONE.grace(0).onlyUid(Metadata.of(tree).uid()));
        },
        result -> {
          pod.underWay = false;
          if (result instanceof ApiResult.Failure failure) {
            failed(pod, failure);
          } else {
            pod.failures = 0;
            pod.isDeleted = true;
          }
        });
  }

  /** Asked when its turn has come; a node that fell silent meanwhile says it later. */
  private static boolean isStillWanted(HollowPod pod) {
    if (pod.isForgotten || pod.node().isSilent()) {
      pod.underWay = false;
      pod.changed = true;
      return false;
    }
    return true;
  }

  private void failed(HollowPod pod, ApiResult.Failure failure) {
    if (failure.isNotFound()) {
      // The watch will say so. A conflict may mean another pod of its name, and may not.
      return;
    }
    pod.changed = true;
    pod.failures++;
    loop.after(RetryDelay.after(pod.failures), () -> next.accept(pod));
  }
}
