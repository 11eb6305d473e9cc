package dev.berth.controllers.nodedrain;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.core.Condition;
import dev.berth.model.drain.DrainNode;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/** What a drain asks of the server; all methods block. */
record DrainRequests(Api api) {
  private static final JsonObject CONDITION =
      Conditions.condition(
          Condition.DISRUPTION_TARGET,
          Conditions.TRUE,
          "DeletionByNodeDrain",
          "Node drain: deleting after the deadline");

  /** Cordons a node as it was seen, and marks whose cordon that is. */
  ApiResult cordon(DrainNode node, String drainUid) {
    return patch(node, drainUid, true);
  }

  ApiResult uncordon(DrainNode node) {
    return patch(node, JsonNull.NULL, JsonNull.NULL);
  }

  /** Only that very revision: a cordon that somebody else has put meanwhile is not ours. */
  private ApiResult patch(DrainNode node, Object mark, Object unschedulable) {
    Metadata seen = Metadata.of(node.tree());
    JsonObject metadata =
        new JsonObject.Builder()
            .put("uid", seen.uid())
            .put("resourceVersion", seen.resourceVersion())
            .put("annotations", JsonObject.of(DrainNode.CORDONED_BY, mark))
            .build();
    JsonObject patch =
        new JsonObject.Builder()
            .put("metadata", metadata)
            .put("spec", JsonObject.of("unschedulable", unschedulable))
            .build();
    return api.patch(
        Target.of(Resources.NODES, ObjectName.of(node.name())), PatchType.MERGE, patch);
  }

  ApiResult evict(JsonObject pod, DrainSpec spec) {
    return PodWrites.evict(api, pod, options(spec));
  }

  ApiResult delete(JsonObject pod, DrainSpec spec, Instant now) {
    return PodWrites.explainAndDelete(api, pod, CONDITION, options(spec), now);
  }

  private static DeleteOptions options(DrainSpec spec) {
    return spec.gracePeriodSeconds().isPresent()
        ? DeleteOptions.NONE.grace(spec.gracePeriodSeconds().getAsLong())
        : DeleteOptions.NONE;
  }
}
