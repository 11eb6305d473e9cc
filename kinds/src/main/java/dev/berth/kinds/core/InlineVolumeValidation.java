package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * What is wrong with the specification of a persistent volume that stands in another object: a
 * volume of a CSI driver, of which everything that a claim would ask for is left out.
 */
public final class InlineVolumeValidation {
  private static final String NOT_INLINE = "may not be specified in the context of inline volumes";

  private InlineVolumeValidation() {}

  public static void validate(JsonObject spec, FieldPath at, FieldErrorList problems) {
    if (spec.has("claimRef")) {
      problems.forbidden(at.field("claimRef"), NOT_INLINE);
    }
    if (!spec.object("capacity").isEmpty()) {
      problems.forbidden(at.field("capacity"), NOT_INLINE);
    }
    if (!spec.has("csi")) {
      problems.required(at.field("csi"), "has to be specified in the context of inline volumes");
    }
    VolumeSpecs.someAccessModes(spec, at, problems);
    VolumeSpecs.accessModes(spec, at, problems);
    if (!List.of("", "Retain").contains(spec.text("persistentVolumeReclaimPolicy", ""))) {
      problems.forbidden(
          at.field("persistentVolumeReclaimPolicy"),
          "may only be Retain in the context of inline volumes");
    }
    if (spec.has("nodeAffinity")) {
      problems.forbidden(at.field("nodeAffinity"), NOT_INLINE);
    }
    PersistentSourceValidation.validate("", spec, at, problems);
    if (!spec.text("storageClassName", "").isEmpty()) {
      problems.forbidden(at.field("storageClassName"), NOT_INLINE);
    }
    if (spec.has("volumeMode") && !spec.text("volumeMode", "").equals("Filesystem")) {
      problems.forbidden(
          at.field("volumeMode"),
          "may not specify volumeMode other than Filesystem in the context of inline volumes");
    }
  }
}
