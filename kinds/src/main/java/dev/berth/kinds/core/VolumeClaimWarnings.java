package dev.berth.kinds.core;

import dev.berth.kinds.pod.ClaimSpecWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever writes a claim is told about it. */
final class VolumeClaimWarnings {

  private VolumeClaimWarnings() {}

  static List<String> of(JsonObject claim) {
    List<String> warnings = new ArrayList<>();
    if (Metadata.of(claim).annotations().has(PersistentVolumeWarnings.CLASS_ANNOTATION)) {
      warnings.add(
          "metadata.annotations[%s]: deprecated since v1.8; use \"storageClassName\" attribute instead"
              .formatted(PersistentVolumeWarnings.CLASS_ANNOTATION));
    }
    ClaimSpecWarnings.add(claim.object("spec"), FieldPath.of("spec"), warnings);
    return warnings;
  }
}
