package dev.berth.controllers.nodeipam;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.List;

/**
 * What is written to nodes, always to that very revision of that very node: of two who write, one
 * is refused. All methods block.
 */
final class CidrWrites {
  /** Names the revision at which a node was read; there until the node has its ranges. */
  static final String FENCE = "berth.dev/cidr-fence";

  private CidrWrites() {}

  /** What a node has, as it says it; the older field counts where the newer is not there. */
  static List<String> rangesOf(JsonObject node) {
    JsonObject spec = node.object("spec");
    List<String> several = spec.array("podCIDRs").texts();
    String one = spec.text("podCIDR", "");
    return several.isEmpty() && !one.isEmpty() ? List.of(one) : several;
  }

  /** Writes down what a node gets. */
  static ApiResult assign(Api api, JsonObject node, List<Cidr> cidrs) {
    List<String> texts = cidrs.stream().map(Cidr::toString).toList();
    JsonObject spec =
        new JsonObject.Builder()
            .put("podCIDR", texts.getFirst())
            .put("podCIDRs", JsonArray.of(texts.toArray()))
            .build();
    JsonObject metadata = sameRevision(node);
    if (Metadata.of(node).annotation(FENCE).isPresent()) {
      metadata = metadata.with("annotations", JsonObject.of(FENCE, JsonNull.NULL));
    }
    return patch(
        api, node, new JsonObject.Builder().put("metadata", metadata).put("spec", spec).build());
  }

  /**
   * Moves a node to another revision, so that whatever others decided when they saw this one can no
   * longer be written. If it moved by itself, it is read; a conflict about a node that has not
   * moved is a failure like any other.
   */
  static ApiResult fence(Api api, JsonObject node) {
    String revision = Metadata.of(node).resourceVersion();
    JsonObject metadata = sameRevision(node).with("annotations", JsonObject.of(FENCE, revision));
    ApiResult result = patch(api, node, JsonObject.of("metadata", metadata));
    if (!result.isConflict()) {
      return result;
    }
    ApiResult now = api.get(Resources.NODES, ObjectName.of(node));
    boolean stays =
        now instanceof ApiResult.Done(JsonObject same)
            && Metadata.of(same).resourceVersion().equals(revision);
    return stays ? result : now;
  }

  private static JsonObject sameRevision(JsonObject node) {
    Metadata metadata = Metadata.of(node);
    return new JsonObject.Builder()
        .put("uid", metadata.uid())
        .put("resourceVersion", metadata.resourceVersion())
        .build();
  }

  private static ApiResult patch(Api api, JsonObject node, JsonObject patch) {
    return api.patch(Target.of(Resources.NODES, ObjectName.of(node)), PatchType.MERGE, patch);
  }
}
