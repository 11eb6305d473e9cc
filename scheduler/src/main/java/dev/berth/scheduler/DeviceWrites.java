package dev.berth.scheduler;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.device.ResourceClaimView.Consumer;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WireTime;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.device.DevicePlan;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Requests about claims on devices. They block, and so are made beside the scheduler's loop. */
record DeviceWrites(Api api) {
  /** Upstream's {@code retry.DefaultRetry}. */
  private static final int TRIES = 5;

  /** What became of a write. */
  sealed interface Outcome {
    record Written(JsonObject claim) implements Outcome {}

    record Failed(String message) implements Outcome {}

    /** The server did not answer: it may be written or not. */
    record Unknown() implements Outcome {}
  }

  /**
   * Gives a claim its allocation, if it is to get one, and reserves it for a pod.
   *
   * @param isFresh whether the claim is to be read first, since it may have changed
   */
  Outcome reserve(DevicePlan.Write write, Consumer pod, Instant now, boolean isFresh) {
    ResourceClaimView claim = write.claim();
    boolean isRead = isFresh;
    for (int i = 0; i < TRIES; i++) {
      if (isRead) {
        ApiResult read = api.get(Resources.RESOURCE_CLAIMS, claim.name());
        if (!(read instanceof ApiResult.Done(JsonObject tree))) {
          return failed("get updated claim " + claim.name() + " after conflict: ", read);
        }
        claim = ResourceClaimView.read(tree);
        if (isDone(claim, write, pod)) {
          return new Outcome.Written(tree);
        }
      }
      String problem = problem(claim, write);
      if (!problem.isEmpty()) {
        return new Outcome.Failed("claim " + claim.name() + " " + problem);
      }
      switch (write(claim, write.allocation(), pod, now)) {
        case ApiResult.Done(JsonObject written) -> {
          return new Outcome.Written(written);
        }
        case ApiResult.Failure why when !why.isConflict() -> {
          String what = write.allocation() == null ? "reservation" : "allocation and reservation";
          return failed("add " + what + " to claim " + claim.name() + ": ", why);
        }
        case ApiResult.Failure _ -> isRead = true;
      }
    }
    return new Outcome.Failed("claim " + claim.name() + " kept changing");
  }

  private static Outcome failed(String before, ApiResult result) {
    return switch (result) {
      case ApiResult.Unreachable _ -> new Outcome.Unknown();
      case ApiResult.Refused refused -> new Outcome.Failed(before + refused.message());
      case ApiResult.Done _ -> throw new IllegalArgumentException("it did not fail");
    };
  }

  /** Whether it was written before, by a request that was not answered. */
  private static boolean isDone(ResourceClaimView claim, DevicePlan.Write write, Consumer pod) {
    JsonObject wanted = write.allocation();
    JsonObject has = claim.allocation();
    return has != null
        && claim.isReservedFor(pod.uid())
        && claim.uid().equals(write.claim().uid())
        && (wanted == null || wanted.object("devices").equals(has.object("devices")));
  }

  private static String problem(ResourceClaimView claim, DevicePlan.Write write) {
    if (claim.metadata().isBeingDeleted() || !claim.uid().equals(write.claim().uid())) {
      return "got deleted in the meantime";
    }
    if (write.allocation() != null) {
      return claim.allocation() == null ? "" : "got allocated elsewhere in the meantime";
    }
    return claim.allocation() == null ? "got deallocated elsewhere in the meantime" : "";
  }

  private ApiResult write(
      ResourceClaimView claim, @Nullable JsonObject allocation, Consumer pod, Instant now) {
    JsonObject tree = claim.tree();
    if (allocation != null) {
      if (!claim.metadata().finalizers().contains(ResourceClaimView.FINALIZER)) {
        JsonObject kept = Metadata.withFinalizer(tree, ResourceClaimView.FINALIZER);
        ApiResult written = api.update(Resources.RESOURCE_CLAIMS, kept);
        if (!(written instanceof ApiResult.Done(JsonObject protectedTree))) {
          return written;
        }
        tree = protectedTree;
      }
      String time = String.valueOf(WireTime.text(now));
      JsonObject timed =
          allocation.has("allocationTimestamp")
              ? allocation
              : allocation.with("allocationTimestamp", time);
      tree = tree.update("status", status -> status.with("allocation", timed));
    }
    return api.updateStatus(Resources.RESOURCE_CLAIMS, ResourceClaimView.reserve(tree, pod));
  }

  /** Makes the claim that stands for a pod's extended resources. */
  Outcome createExtended(JsonObject pod, DevicePlan.Extended extended) {
    JsonObject draft = extended.requests().claim(pod);
    return switch (api.create(Resources.RESOURCE_CLAIMS, draft)) {
      case ApiResult.Done(JsonObject claim) -> new Outcome.Written(claim);
      // Whether it was made will be seen: it is found by its owner then, and removed.
      case ApiResult.Failure why ->
          new Outcome.Failed(
              "create claim for extended resources %s/: %s"
                  .formatted(Metadata.of(pod).namespace(), why.message()));
    };
  }

  /** Tells in a pod's status which claim stands for its extended resources. */
  ApiResult tellPod(JsonObject pod, JsonObject status) {
    JsonObject patch =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("uid", Metadata.of(pod).uid()))
            .put("status", JsonObject.of("extendedResourceClaimStatus", status))
            .build();
    Target target = Target.of(Resources.PODS, ObjectName.of(pod)).subresource("status");
    return api.patch(target, PatchType.STRATEGIC, patch);
  }

  /** Removes a claim that stands for extended resources, allocated or not. */
  ApiResult remove(ResourceClaimView claim) {
    ApiResult read = api.get(Resources.RESOURCE_CLAIMS, claim.name());
    if (read instanceof ApiResult.Done(JsonObject now)) {
      JsonObject without = Metadata.withoutFinalizer(now, ResourceClaimView.FINALIZER);
      ApiResult written = api.update(Resources.RESOURCE_CLAIMS, without);
      if (!written.isDone()) {
        return written;
      }
      DeleteOptions only = DeleteOptions.NONE.onlyUid(claim.uid());
      return api.delete(Resources.RESOURCE_CLAIMS, claim.name(), only);
    }
    return read;
  }

  /** Takes a pod from among the consumers of a claim. */
  ApiResult unreserve(ResourceClaimView claim, String podUid) {
    JsonObject gone = new JsonObject.Builder().put("$patch", "delete").put("uid", podUid).build();
    JsonObject patch =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("uid", claim.uid()))
            .put("status", JsonObject.of("reservedFor", JsonArray.of(gone)))
            .build();
    Target status = Target.of(Resources.RESOURCE_CLAIMS, claim.name()).subresource("status");
    return api.patch(status, PatchType.STRATEGIC, patch);
  }

  /** Takes the devices from a claim that nobody else uses. */
  ApiResult deallocate(ResourceClaimView claim) {
    JsonObject without =
        claim
            .tree()
            .update(
                "status",
                status -> status.without("allocation").without("reservedFor").without("devices"));
    return api.updateStatus(Resources.RESOURCE_CLAIMS, without);
  }
}
