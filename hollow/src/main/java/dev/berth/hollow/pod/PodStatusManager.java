package dev.berth.hollow.pod;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.client.heartbeat.RetryDelay;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.util.function.Consumer;

/**
 * Posts the status of pods, and deletes those that have stopped. One request about a pod is under
 * way at a time. What fails is retried while the pod is there and its node is not silent; what a
 * silent node would have posted waits until it is back.
 *
 * <p>Belongs to the loop of the hollow nodes.
 */
public final class PodStatusManager {
  private final Api api;
  private final Loop loop;
  private final BoundedRequests requests;
  private final Consumer<HollowPod> next;

  /**
   * @param next called for pods whose request was answered, or is due to be retried
   */
  public PodStatusManager(Api api, Loop loop, BoundedRequests requests, Consumer<HollowPod> next) {
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
        () -> takeTurn(pod),
        () -> PodWrites.patch(api, tree, status),
        result -> posted(pod, result));
  }

  private void posted(HollowPod pod, ApiResult result) {
    pod.underWay = false;
    switch (result) {
      case ApiResult.Done(JsonObject tree) -> {
        pod.failures = 0;
        if (!Metadata.of(tree).isBefore(Metadata.of(pod.tree))) {
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
   * @param lastStatus posted first; empty if nothing is to be posted
   */
  void delete(HollowPod pod, JsonObject lastStatus) {
    JsonObject tree = pod.tree;
    pod.changed = false;
    pod.underWay = true;
    requests.run(
        () -> takeTurn(pod),
        () -> {
          if (!lastStatus.isEmpty()) {
            ApiResult posted = PodWrites.patch(api, tree, lastStatus);
            if (!posted.isDone()) {
              return posted;
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

  /** Called before a request is sent. A node that fell silent meanwhile sends it later. */
  private static boolean takeTurn(HollowPod pod) {
    if (pod.isForgotten || pod.node().isSilent()) {
      pod.underWay = false;
      pod.changed = true;
      return false;
    }
    return true;
  }

  private void failed(HollowPod pod, ApiResult.Failure failure) {
    if (failure.isNotFound()) {
      // The watch will show that. A conflict may mean another pod of its name, or not.
      return;
    }
    pod.changed = true;
    pod.failures++;
    loop.after(RetryDelay.after(pod.failures), () -> next.accept(pod));
  }
}
