package dev.berth.controllers.statefulset;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.history.RevisionData;
import dev.berth.policy.stateful.ClaimOwners;
import dev.berth.policy.stateful.StatefulIdentity;
import dev.berth.policy.stateful.StatefulPod;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requests about the pods and claims of one StatefulSet, beside the loop. They block.
 *
 * <p>A pod is deleted with its own grace period and never by force: its name is free when its agent
 * says so. A pod is made under its name, which a server gives to one pod at a time.
 */
final class StatefulRequests {
  private final Api api;
  private final StatefulSetView set;
  private final Consumer<JsonObject> claimMade;

  /**
   * @param claimMade told of each claim that was made, beside the loop
   */
  StatefulRequests(Api api, StatefulSetView set, Consumer<JsonObject> claimMade) {
    this.api = api;
    this.set = set;
    this.claimMade = claimMade;
  }

  /** A pod of a revision that is to be created; does not ask anybody. */
  JsonObject pod(Revision revision, long ordinal) {
    JsonObject template = RevisionData.template(revision.data());
    return StatefulIdentity.pod(set, template, revision.name(), ordinal);
  }

  /** Makes the claims of a pod that are missing, and then the pod. */
  ApiResult create(JsonObject pod, long ordinal) {
    ApiResult claims = makeClaims(ordinal, true);
    return claims.isDone() ? api.create(Resources.PODS, pod) : claims;
  }

  /**
   * Makes the claims of a pod that are missing.
   *
   * @param anew whether for a new pod, which cannot use claims that are about to go
   */
  ApiResult makeClaims(long ordinal, boolean anew) {
    for (JsonObject claim : StatefulIdentity.claims(set, ordinal)) {
      ApiResult found = api.get(Resources.PERSISTENT_VOLUME_CLAIMS, ObjectName.of(claim));
      if (found.isNotFound()) {
        ApiResult made = api.create(Resources.PERSISTENT_VOLUME_CLAIMS, claim);
        if (made.isDone()) {
          claimMade.accept(claim);
        } else if (!made.isAlreadyExists()) {
          return made;
        }
      } else if (found instanceof ApiResult.Done(JsonObject there)) {
        if (anew && ClaimOwners.isStale(there, set, ordinal)) {
          return new ApiResult.Refused(
              ApiError.of(
                  409,
                  "claim %s is going with an earlier pod; it is waited for"
                      .formatted(ObjectName.of(claim).name())));
        }
      } else {
        return found;
      }
    }
    return new ApiResult.Done(JsonObject.EMPTY);
  }

  /** Deletes a pod, after its claims have the owners that they should have. */
  ApiResult delete(StatefulPod pod) {
    ApiResult owners = ownClaims(pod.ordinal(), pod.tree());
    if (!owners.isDone()) {
      return owners;
    }
    DeleteOptions only = DeleteOptions.NONE.onlyUid(Metadata.of(pod.tree()).uid());
    return api.delete(Resources.PODS, ObjectName.of(pod.tree()), only);
  }

  /** Gives the claims of a pod the owners that they should have. */
  ApiResult ownClaims(long ordinal, JsonObject pod) {
    for (JsonObject template : set.spec().claimTemplates()) {
      ObjectName name =
          new ObjectName(
              set.metadata().namespace(), StatefulIdentity.claimName(template, set, ordinal));
      ApiResult found = api.get(Resources.PERSISTENT_VOLUME_CLAIMS, name);
      if (found.isNotFound()) {
        continue;
      }
      if (!(found instanceof ApiResult.Done(JsonObject claim))) {
        return found;
      }
      Optional<JsonObject> owned = ClaimOwners.update(claim, set, ordinal, pod);
      if (owned.isPresent()) {
        ApiResult written = api.update(Resources.PERSISTENT_VOLUME_CLAIMS, owned.get());
        if (!written.isDone()) {
          return written;
        }
      }
    }
    return new ApiResult.Done(JsonObject.EMPTY);
  }

  /** Gives a pod the labels that say who it is. */
  ApiResult label(StatefulPod pod) {
    ObjectName name = ObjectName.of(pod.tree());
    JsonObject metadata =
        new JsonObject.Builder()
            .put("uid", Metadata.of(pod.tree()).uid())
            .put(
                "labels",
                StatefulIdentity.withIdentity(JsonObject.EMPTY, name.name(), pod.ordinal()))
            .build();
    return api.patch(
        Target.of(Resources.PODS, name), PatchType.STRATEGIC, JsonObject.of("metadata", metadata));
  }
}
