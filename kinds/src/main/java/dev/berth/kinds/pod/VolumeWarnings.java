package dev.berth.kinds.pod;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** What is odd about the volumes of a pod. */
final class VolumeWarnings {
  private static final String GONE_1_25 = "deprecated in v1.22, non-functional in v1.25+";
  private static final String GONE_1_31 = "deprecated in v1.28, non-functional in v1.31+";

  /** Kinds of volumes that are gone or going, in the order in which they are reported. */
  private static final List<Map.Entry<String, String>> BEFORE_CLAIMS =
      List.of(
          Map.entry("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
          Map.entry("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
          Map.entry("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
          Map.entry("flocker", GONE_1_25),
          Map.entry("storageos", GONE_1_25),
          Map.entry("quobyte", GONE_1_25),
          Map.entry("glusterfs", "deprecated in v1.25, non-functional in v1.26+"));

  private static final List<Map.Entry<String, String>> AFTER_CLAIMS =
      List.of(Map.entry("cephfs", GONE_1_31), Map.entry("rbd", GONE_1_31));

  private VolumeWarnings() {}

  static void add(JsonObject spec, FieldPath at, List<String> warnings) {
    List<JsonObject> volumes = spec.array("volumes").objects();
    for (int i = 0; i < volumes.size(); i++) {
      FieldPath place = at.field("volumes").index(i);
      JsonObject volume = volumes.get(i);
      sources(volume, place, BEFORE_CLAIMS, warnings);
      JsonObject claim = volume.object("ephemeral").object("volumeClaimTemplate");
      if (!claim.isEmpty()) {
        FieldPath template = place.field("ephemeral").field("volumeClaimTemplate");
        ClaimSpecWarnings.add(claim.object("spec"), template.field("spec"), warnings);
      }
      sources(volume, place, AFTER_CLAIMS, warnings);
    }
    volumes.forEach(volume -> OverlappingPaths.add(volume, warnings));
  }

  private static void sources(
      JsonObject volume,
      FieldPath place,
      List<Map.Entry<String, String>> kinds,
      List<String> warnings) {
    for (Map.Entry<String, String> kind : kinds) {
      if (volume.has(kind.getKey())) {
        // Upstream names this one otherwise than the field is called.
        String field = kind.getKey().equals("storageos") ? "storageOS" : kind.getKey();
        warnings.add("%s: %s".formatted(place.field(field), kind.getValue()));
      }
    }
  }
}
