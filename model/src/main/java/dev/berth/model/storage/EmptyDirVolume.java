package dev.berth.model.storage;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A volume that is empty at first and goes with its pod.
 *
 * @param medium empty for the node's disk
 * @param sizeLimit zero for none
 */
public record EmptyDirVolume(String name, String medium, Quantity sizeLimit) {
  private static final String FIELD = "emptyDir";

  /** The volumes of this kind that a pod has. */
  public static List<EmptyDirVolume> of(JsonObject pod) {
    return pod.object("spec").array("volumes").objects().stream()
        .filter(volume -> volume.has(FIELD))
        .map(volume -> read(volume.text("name", ""), volume.object(FIELD)))
        .toList();
  }

  public static EmptyDirVolume read(String name, JsonObject source) {
    return new EmptyDirVolume(name, source.text("medium", ""), limit(source.get("sizeLimit")));
  }

  private static Quantity limit(@Nullable Object value) {
    try {
      return value == null ? Quantity.ZERO : Quantity.fromTree(value);
    } catch (QuantityFormatException malformed) {
      return Quantity.ZERO;
    }
  }
}
