package dev.berth.kinds.storage;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The group storage.k8s.io. */
public final class StorageResources {
  private static final String V1 = "v1";
  private static final String STORAGE = "storage.k8s.io";

  /** A storage class, with a word for the one that is used when none is named. */
  private static final Column CLASS_NAME =
      new Column(
          "Name",
          "string",
          "name",
          "The object's name, unique in its namespace.",
          0,
          (object, now) -> {
            JsonObject metadata = object.object("metadata");
            String isDefault =
                metadata.object("annotations").text(WellKnownAnnotations.DEFAULT_STORAGE_CLASS, "");
            return metadata.text("name", "") + (isDefault.equals("true") ? " (default)" : "");
          });

  private StorageResources() {}

  public static List<Resource> all() {
    return List.of(csiDrivers(), csiNodes(), storageClasses(), volumeAttachments());
  }

  private static Resource csiDrivers() {
    return Resource.clusterWide(STORAGE, V1, "CSIDriver").build();
  }

  private static Resource csiNodes() {
    return Resource.clusterWide(STORAGE, V1, "CSINode")
        .columns(
            Column.NAME,
            Column.number(
                "Drivers",
                "How many drivers the node has.",
                node -> (long) node.object("spec").array("drivers").size()),
            Column.AGE)
        .build();
  }

  private static Resource storageClasses() {
    return Resource.clusterWide(STORAGE, V1, "StorageClass")
        .plural("storageclasses")
        .shortNames("sc")
        .columns(
            CLASS_NAME,
            Column.text("Provisioner", "Who makes volumes.", Cells.text("provisioner", "")),
            Column.text(
                "ReclaimPolicy",
                "What becomes of volumes without their claims.",
                Cells.text("reclaimPolicy", "Delete")),
            Column.text(
                "VolumeBindingMode",
                "When volumes are chosen.",
                Cells.text("volumeBindingMode", "Immediate")),
            Column.text(
                "AllowVolumeExpansion",
                "Whether volumes can grow.",
                Cells.text("allowVolumeExpansion", "false")),
            Column.AGE)
        .rules(new StorageClassRules())
        .build();
  }

  private static Resource volumeAttachments() {
    return Resource.clusterWide(STORAGE, V1, "VolumeAttachment")
        .status()
        .names(NameRules::dns1123Subdomain)
        .columns(
            Column.NAME,
            Column.text("Attacher", "Who attaches.", Cells.text("spec.attacher", "")),
            Column.text(
                "PV", "What is attached.", Cells.text("spec.source.persistentVolumeName", "")),
            Column.text("Node", "To which node.", Cells.text("spec.nodeName", "")),
            Column.text(
                "Attached",
                "Whether it is.",
                (JsonObject attachment) ->
                    Boolean.toString(attachment.object("status").flag("attached", false))),
            Column.AGE)
        .build();
  }
}
