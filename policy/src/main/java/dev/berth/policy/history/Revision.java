package dev.berth.policy.history;

import dev.berth.model.core.ControllerRevisionTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;

/**
 * A ControllerRevision.
 *
 * @param number the highest is the latest
 * @param tree the whole object
 */
public record Revision(String name, String uid, long number, JsonObject tree) {

  /** How a StatefulSet's revision says its hash. */
  public static final String HASH_LABEL = "controller.kubernetes.io/hash";

  public static Revision read(JsonObject tree) {
    ControllerRevisionTree revision = new ControllerRevisionTree(tree);
    Metadata metadata = revision.metadata();
    return new Revision(metadata.name(), metadata.uid(), revision.revision(), tree);
  }

  public JsonObject data() {
    return new ControllerRevisionTree(tree).data();
  }

  /** What a DaemonSet's pods of this revision are labelled with. */
  public String hash() {
    return Metadata.of(tree).label(WellKnownLabels.CONTROLLER_REVISION_HASH).orElse(name);
  }
}
