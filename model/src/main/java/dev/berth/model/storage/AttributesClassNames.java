package dev.berth.model.storage;

import dev.berth.model.tree.JsonObject;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which VolumeAttributesClasses a claim or a volume uses: the one that it asks for, the one that a
 * claim's volume has, and the one that it is being changed to.
 */
public final class AttributesClassNames {
  private static final String NAME = "volumeAttributesClassName";

  private AttributesClassNames() {}

  public static Set<String> ofClaim(JsonObject claim) {
    JsonObject status = claim.object("status");
    Set<String> names = ofVolume(claim);
    names.add(status.text("currentVolumeAttributesClassName", ""));
    names.add(status.object("modifyVolumeStatus").text("targetVolumeAttributesClassName", ""));
    names.remove("");
    return names;
  }

  public static Set<String> ofVolume(JsonObject volume) {
    Set<String> names = new TreeSet<>();
    names.add(volume.object("spec").text(NAME, ""));
    names.remove("");
    return names;
  }
}
