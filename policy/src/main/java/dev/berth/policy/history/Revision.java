package dev.berth.policy.history;

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
    Metadata metadata = Metadata.of(tree);
    return new Revision(metadata.name(), metadata.uid(), tree.integer("revision").orElse(0), tree);
  }

  public JsonObject data() {
    return tree.object("data");
  }

  /** What a DaemonSet's pods of this revision are labelled with. */
  public String hash() {
    return Metadata.of(tree).label(WellKnownLabels.CONTROLLER_REVISION_HASH).orElse(name);
  }
}
