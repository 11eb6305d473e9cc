package dev.berth.kinds.core;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** How volumes and claims are printed. */
final class VolumeColumns {
  private static final SequencedMap<String, String> SHORT_MODES = new LinkedHashMap<>();

  static {
    SHORT_MODES.put("ReadWriteOnce", "RWO");
    SHORT_MODES.put("ReadOnlyMany", "ROX");
    SHORT_MODES.put("ReadWriteMany", "RWX");
    SHORT_MODES.put("ReadWriteOncePod", "RWOP");
  }

  static final Column CAPACITY =
      Column.text("Capacity", "How large the volume is.", Cells.text("spec.capacity.storage", ""));

  static final Column CLAIM_CAPACITY =
      Column.text(
          "Capacity",
          "How large the volume is.",
          claim ->
              hasVolume(claim)
                  ? claim.object("status").object("capacity").text("storage", "0")
                  : "");

  static final Column ACCESS_MODES =
      Column.text(
          "Access Modes",
          "How the volume may be used, and by how many nodes.",
          object -> modes(object.object("spec").array("accessModes").texts()));

  static final Column CLAIM_ACCESS_MODES =
      Column.text(
          "Access Modes",
          "How the volume may be used, and by how many nodes.",
          claim ->
              hasVolume(claim) ? modes(claim.object("status").array("accessModes").texts()) : "");

  static final Column RECLAIM_POLICY =
      Column.text(
          "Reclaim Policy",
          "What becomes of the volume without its claim.",
          Cells.text("spec.persistentVolumeReclaimPolicy", ""));

  static final Column STATUS =
      Column.text(
          "Status",
          "The phase the object is in.",
          object ->
              object.object("metadata").has("deletionTimestamp")
                  ? "Terminating"
                  : object.object("status").text("phase", ""));

  static final Column CLAIM =
      Column.text(
          "Claim",
          "The claim that has the volume.",
          volume -> {
            JsonObject claim = volume.object("spec").object("claimRef");
            return claim.isEmpty()
                ? ""
                : claim.text("namespace", "") + "/" + claim.text("name", "");
          });

  static final Column STORAGE_CLASS =
      Column.text("StorageClass", "The class of storage.", Cells.text("spec.storageClassName", ""));

  static final Column REASON =
      Column.text("Reason", "Why the volume failed.", Cells.text("status.reason", ""));

  static final Column VOLUME =
      Column.text("Volume", "The volume that the claim has.", Cells.text("spec.volumeName", ""));

  static final Column ATTRIBUTES_CLASS =
      Column.text(
          "VolumeAttributesClass",
          "The class of changeable attributes.",
          Cells.text("spec.volumeAttributesClassName", Cells.UNSET));

  static final Column VOLUME_MODE =
      Column.text(
              "VolumeMode",
              "Whether it has files or blocks.",
              Cells.text("spec.volumeMode", Cells.UNSET))
          .wide();

  private VolumeColumns() {}

  /** Without a volume, there is nothing to tell of it. */
  private static boolean hasVolume(JsonObject claim) {
    return !claim.object("spec").text("volumeName", "").isEmpty();
  }

  /** In an order of their own, each once; modes that are not known are not shown. */
  private static String modes(List<String> modes) {
    return Cells.join(
        SHORT_MODES.entrySet().stream()
            .filter(mode -> modes.contains(mode.getKey()))
            .map(Map.Entry::getValue)
            .toList());
  }
}
