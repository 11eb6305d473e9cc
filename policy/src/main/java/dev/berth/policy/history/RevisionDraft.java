package dev.berth.policy.history;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * A ControllerRevision to be made: named by the set and the hash, with the template's labels, so
 * that the set's selector selects it, and the set's annotations, where {@code kubectl rollout
 * history} finds the cause of the change.
 */
public final class RevisionDraft {
  /** A set's name is cut off here, so that there is room for the hash. */
  private static final int LONGEST_PREFIX = 223;

  private RevisionDraft() {}

  /**
   * The object for the server.
   *
   * @param hashLabel the label that says the hash
   */
  public static JsonObject of(
      JsonObject set, JsonObject template, String hashLabel, String hash, long number) {
    Metadata owner = Metadata.of(set);
    String prefix = owner.name().substring(0, Math.min(owner.name().length(), LONGEST_PREFIX));
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", prefix + "-" + hash)
            .put("namespace", owner.namespace())
            .put("labels", Metadata.of(template).labels().with(hashLabel, hash))
            .put("annotations", owner.annotations())
            .put("ownerReferences", JsonArray.of(OwnerReference.controllerOf(set).toTree()))
            .build();
    return new JsonObject.Builder()
        .put("kind", "ControllerRevision")
        .put("apiVersion", "apps/v1")
        .put("metadata", metadata)
        .put("data", RevisionData.of(template))
        .put("revision", number)
        .build();
  }
}
