package dev.berth.policy.stateful;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * A StatefulSet, as decisions see it.
 *
 * @param tree as it was read
 * @param currentRevision the name of the revision that its pods had, as its status has it
 * @param collisionCount how many hashes of revisions turned out to be taken, as its status has it
 */
public record StatefulSetView(
    JsonObject tree,
    Metadata metadata,
    StatefulSpec spec,
    String currentRevision,
    long collisionCount) {

  public static StatefulSetView read(JsonObject set) {
    JsonObject status = set.object("status");
    return new StatefulSetView(
        set,
        Metadata.of(set),
        StatefulSpec.read(set),
        status.text("currentRevision", ""),
        status.integer("collisionCount").orElse(0));
  }
}
