package dev.berth.kinds.core;

import dev.berth.kinds.resource.NodeLabelWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What whoever writes a volume is told about it. */
final class PersistentVolumeWarnings {
  static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
  private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");
  private static final FieldPath TERMS =
      FieldPath.of("spec", "nodeAffinity", "required", "nodeSelectorTerms");

  /** In the order in which they are reported. */
  private static final List<Map.Entry<String, String>> DEPRECATED_ANNOTATIONS =
      List.of(
          Map.entry(
              CLASS_ANNOTATION,
              "deprecated since v1.8; use \"storageClassName\" attribute instead"),
          Map.entry(
              "volume.beta.kubernetes.io/mount-options",
              "deprecated since v1.31; use \"mountOptions\" attribute instead"));

  private static final List<Map.Entry<String, String>> SOURCES =
      List.of(
          Map.entry("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
          Map.entry("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
          Map.entry("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
          Map.entry("storageos", "deprecated in v1.22, non-functional in v1.25+"),
          Map.entry("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
          Map.entry("rbd", "deprecated in v1.28, non-functional in v1.31+"));

  private PersistentVolumeWarnings() {}

  static List<String> of(JsonObject volume) {
    List<String> warnings = new ArrayList<>();
    JsonObject annotations = Metadata.of(volume).annotations();
    for (Map.Entry<String, String> deprecated : DEPRECATED_ANNOTATIONS) {
      if (annotations.has(deprecated.getKey())) {
        warnings.add(ANNOTATIONS.key(deprecated.getKey()) + ": " + deprecated.getValue());
      }
    }
    JsonObject spec = volume.object("spec");
    if (spec.text("persistentVolumeReclaimPolicy", "").equals("Recycle")) {
      warnings.add(
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead,"
              + " the recommended approach is to use dynamic provisioning.");
    }
    List<JsonObject> terms =
        spec.object("nodeAffinity").object("required").array("nodeSelectorTerms").objects();
    for (int i = 0; i < terms.size(); i++) {
      NodeLabelWarnings.term(terms.get(i), false, TERMS.index(i), warnings);
    }
    for (Map.Entry<String, String> source : SOURCES) {
      if (spec.has(source.getKey())) {
        String field = source.getKey().equals("storageos") ? "storageOS" : source.getKey();
        warnings.add("spec.%s: %s".formatted(field, source.getValue()));
      }
    }
    return warnings;
  }
}
