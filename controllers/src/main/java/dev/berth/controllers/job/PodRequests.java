package dev.berth.controllers.job;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.owned.Adoption;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobPod;

/** What is asked of the server about the pods of jobs. All of these block. */
final class PodRequests {
  private static final int INVALID = 422;
  private static final JsonArray FINALIZER = JsonArray.of(JobPod.FINALIZER);
  private static final String WITHOUT = "$deleteFromPrimitiveList/finalizers";

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

  ApiResult create(JsonObject pod) {
    return api.create(Resources.PODS, pod);
  }

  /** The pods that a job selects, as they are now and not as some watch has told. */
  ListResult list(JsonObject job, LabelSelector selector) {
    String namespace = Metadata.of(job).namespace();
    return Pages.all(api, ListRequest.of(Resources.PODS).in(namespace).labels(selector.toString()));
  }

  /** Makes a job the owner of a pod, which is tracked from then on. */
  ApiResult adopt(JsonObject job, JsonObject pod) {
    ApiResult found = Adoption.stillThere(api, Resources.JOBS, job);
    if (!found.isDone()) {
      return found;
    }
    JsonObject owner = OwnerReference.controllerOf(job).toTree();
    return patch(
        pod, only(pod).with("ownerReferences", JsonArray.of(owner)).with("finalizers", FINALIZER));
  }

  /** Ends the ownership of a job, and the tracking; done as well if there is no such pod. */
  ApiResult release(String jobUid, JsonObject pod) {
    JsonObject owner = new JsonObject.Builder().put("$patch", "delete").put("uid", jobUid).build();
    ApiResult result =
        patch(pod, only(pod).with("ownerReferences", JsonArray.of(owner)).with(WITHOUT, FINALIZER));
    boolean isAnother =
        result instanceof ApiResult.Refused(ApiError error) && error.code() == INVALID;
    return result.isNotFound() || isAnother ? new ApiResult.Done(JsonObject.EMPTY) : result;
  }

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

  ApiResult delete(JsonObject pod) {
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
