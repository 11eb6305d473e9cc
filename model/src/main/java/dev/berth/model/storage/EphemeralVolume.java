package dev.berth.model.storage;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A volume of a pod whose claim is made for the pod and goes with it.
 *
 * @param claimLabels what the claim's template says of its labels; null if nothing
 * @param claimAnnotations what the claim's template says of its annotations; null if nothing
 * @param claimSpec the specification that the claim gets, as it is written
 */
public record EphemeralVolume(
    String name,
    @Nullable Object claimLabels,
    @Nullable Object claimAnnotations,
    JsonObject claimSpec) {
  static final String FIELD = "ephemeral";

  /** The volumes of this kind that a pod has. */
  public static List<EphemeralVolume> of(JsonObject pod) {
    return pod.object("spec").array("volumes").objects().stream()
        .filter(volume -> volume.has(FIELD))
        .map(EphemeralVolume::read)
        .toList();
  }

  private static EphemeralVolume read(JsonObject volume) {
    JsonObject template = volume.object(FIELD).object("volumeClaimTemplate");
    JsonObject metadata = template.object("metadata");
    return new EphemeralVolume(
        volume.text("name", ""),
        metadata.get("labels"),
        metadata.get("annotations"),
        template.object("spec"));
  }

  /** The name of the claim, which nobody else should have. */
  public String claimName(String pod) {
    return claimName(pod, name);
  }

  static String claimName(String pod, String volume) {
    return pod + "-" + volume;
  }
}
