package dev.berth.client;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * Writes that components make to pods: conditions in their status, and deletions that say why
 * first. Each request names the pod's UID, so that a new pod of the same name is left alone: the
 * server then answers with a conflict. A pod that is gone already is not found.
 */
public final class PodWrites {
  private PodWrites() {}

  /**
   * Says why, then deletes; if the first fails, the second is not tried. Blocks.
   *
   * @param condition without times; not written if the pod has it already
   */
  public static ApiResult explainAndDelete(
      Api api, JsonObject pod, JsonObject condition, DeleteOptions options, Instant now) {
    Optional<ApiResult> said =
        changed(pod, observed(pod, condition), now).map(c -> patchCondition(api, pod, c));
    if (said.isPresent() && !said.get().isDone()) {
      return said.get();
    }
    String uid = Metadata.of(pod).uid();
    return api.delete(Resources.PODS, ObjectName.of(pod), options.onlyUid(uid));
  }

  /**
   * The same, but only if nobody has changed the pod since it was seen: otherwise there is a
   * conflict, and the pod is left alone. For whoever decides by what the pod says. Blocks.
   */
  public static ApiResult explainAndDeleteAsSeen(
      Api api, JsonObject pod, JsonObject condition, DeleteOptions options, Instant now) {
    Metadata seen = Metadata.of(pod);
    Optional<JsonObject> written = changed(pod, observed(pod, condition), now);
    String revision = seen.resourceVersion();
    if (written.isPresent()) {
      JsonObject only =
          new JsonObject.Builder().put("uid", seen.uid()).put("resourceVersion", revision).build();
      JsonObject status = JsonObject.of("conditions", JsonArray.of(written.get()));
      switch (patch(api, pod, only, status)) {
        case ApiResult.Done(JsonObject after) -> revision = Metadata.of(after).resourceVersion();
        case ApiResult.Failure failure -> {
          return failure;
        }
      }
    }
    return api.delete(
        Resources.PODS, ObjectName.of(pod), options.onlyUid(seen.uid()).onlyRevision(revision));
  }

  /**
   * Asks for the eviction of a pod, which a disruption budget may refuse. Blocks.
   *
   * @param options which pod it must be, and how long it may take to end
   */
  public static ApiResult evict(Api api, JsonObject pod, DeleteOptions options) {
    ObjectName name = ObjectName.of(pod);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", name.namespace())
            .put("name", name.name())
            .build();
    JsonObject.Builder eviction =
        new JsonObject.Builder()
            .put("apiVersion", "policy/v1")
            .put("kind", "Eviction")
            .put("metadata", metadata);
    JsonObject how = options.onlyUid(Metadata.of(pod).uid()).toTree();
    return api.create(
        Target.of(Resources.PODS, name).subresource("eviction"),
        eviction.put("deleteOptions", how).build());
  }

  /** A condition of a pod as it was seen: it says of which generation it was decided. */
  public static JsonObject observed(JsonObject pod, JsonObject condition) {
    return Conditions.observed(condition, Metadata.of(pod).generation());
  }

  /** A condition as it is to be written to an object's status; empty if it stands there. */
  public static Optional<JsonObject> changed(JsonObject object, JsonObject condition, Instant now) {
    JsonArray before = object.object("status").array("conditions");
    JsonArray after = Conditions.set(before, condition, now);
    String type = condition.text("type", "");
    JsonObject written = Conditions.find(after, type).orElseThrow();
    return Conditions.find(before, type).filter(written::equals).isPresent()
        ? Optional.empty()
        : Optional.of(written);
  }

  private static ApiResult patchCondition(Api api, JsonObject pod, JsonObject condition) {
    return patch(api, pod, JsonObject.of("conditions", JsonArray.of(condition)));
  }

  /** Merges something into the status of that very pod. Blocks. */
  public static ApiResult patch(Api api, JsonObject pod, JsonObject status) {
    return patch(api, pod, JsonObject.of("uid", Metadata.of(pod).uid()), status);
  }

  private static ApiResult patch(Api api, JsonObject pod, JsonObject only, JsonObject status) {
    JsonObject patch = new JsonObject.Builder().put("metadata", only).put("status", status).build();
    Target target = Target.of(Resources.PODS, ObjectName.of(pod)).subresource("status");
    return api.patch(target, PatchType.STRATEGIC, patch);
  }
}
