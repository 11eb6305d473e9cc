package dev.berth.controllers.job;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobPod;

/** What is asked of the server about the pods of jobs. All of these block. */
final class PodRequests {
  private static final JsonArray FINALIZER = JsonArray.of(JobPod.FINALIZER);
  private static final String WITHOUT = "$deleteFromPrimitiveList/finalizers";

  /** What makes a pod tracked, as a patch of its metadata. */
  static final JsonObject TRACKED = JsonObject.of("finalizers", FINALIZER);

  /** What ends that. */
  static final JsonObject UNTRACKED = JsonObject.of(WITHOUT, FINALIZER);

  private final Api api;

  PodRequests(Api api) {
    this.api = api;
  }

  /**
   * How a removal ended.
   *
   * @param deleted not done if the pod is still tracked
   */
  record Removal(ApiResult untracked, ApiResult deleted) {}

  /** Ends the tracking of a pod, whatever became of it since it was seen. */
  ApiResult untrack(JsonObject pod) {
    return patch(pod, only(pod).with(WITHOUT, FINALIZER));
  }

  /** The same, unless anything became of it since. */
  ApiResult untrackAsSeen(JsonObject pod) {
    String revision = Metadata.of(pod).resourceVersion();
    return patch(pod, only(pod).with("resourceVersion", revision).with(WITHOUT, FINALIZER));
  }

  /** Ends the tracking of a pod that is as it was seen, so that it is not counted; then deletes. */
  Removal remove(JsonObject pod) {
    ApiResult untracked = JobPod.hasFinalizer(pod) ? untrackAsSeen(pod) : new ApiResult.Done(pod);
    return new Removal(untracked, untracked.isDone() ? delete(pod) : untracked);
  }

  private ApiResult delete(JsonObject pod) {
    DeleteOptions options = DeleteOptions.NONE.onlyUid(Metadata.of(pod).uid());
    return api.delete(Resources.PODS, ObjectName.of(pod), options);
  }

  private static JsonObject only(JsonObject pod) {
    return JsonObject.of("uid", Metadata.of(pod).uid());
  }

  private ApiResult patch(JsonObject pod, JsonObject metadata) {
    return api.patch(
        Target.of(Resources.PODS, ObjectName.of(pod)),
        PatchType.STRATEGIC,
        JsonObject.of("metadata", metadata));
  }
}
