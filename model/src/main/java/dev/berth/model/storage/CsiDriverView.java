package dev.berth.model.storage;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * A CSIDriver.
 *
 * @param attachRequired whether its volumes have to be attached to a node before pods use them
 */
public record CsiDriverView(String name, boolean attachRequired) {

  public static CsiDriverView read(JsonObject tree) {
    return new CsiDriverView(
        Metadata.of(tree).name(), tree.object("spec").flag("attachRequired", true));
  }
}
