package dev.berth.kinds.storage;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.WellKnownAnnotations;
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
    return List.of(
        csiDrivers(),
        csiNodes(),
        storageCapacities(),
        storageClasses(),
        volumeAttachments(),
        attributesClasses());
  }

  private static Resource csiDrivers() {
    return Resource.clusterWide(STORAGE, V1, "CSIDriver")
        .rules(new CsiDriverRules())
        .warnings(new CsiDriverWarnings())
        .columns(
            Column.NAME,
            flag("AttachRequired", "Whether volumes are attached first.", "attachRequired", true),
            flag("PodInfoOnMount", "Whether the driver is told of pods.", "podInfoOnMount", false),
            flag(
                "StorageCapacity",
                "Whether the driver says how much it has.",
                "storageCapacity",
                false),
            Column.text(
                "TokenRequests", "For whom the driver gets tokens.", StorageResources::audiences),
            flag(
                "RequiresRepublish",
                "Whether the driver is called again and again.",
                "requiresRepublish",
                false),
            Column.text(
                "Modes",
                "What volumes the driver has.",
                driver ->
                    Cells.orNone(
                        Cells.join(driver.object("spec").array("volumeLifecycleModes").texts()))),
            Column.AGE)
        .build();
  }

  private static Column flag(String name, String description, String field, boolean whenAbsent) {
    return new Column(
        name,
        "boolean",
        "",
        description,
        0,
        (object, now) -> object.object("spec").flag(field, whenAbsent));
  }

  private static String audiences(JsonObject driver) {
    JsonObject spec = driver.object("spec");
    return spec.has("tokenRequests")
        ? Cells.join(
            spec.array("tokenRequests").objects().stream()
                .map(request -> request.text("audience", ""))
                .toList())
        : Cells.UNSET;
  }

  private static Resource storageCapacities() {
    return Resource.namespaced(STORAGE, V1, "CSIStorageCapacity")
        .plural("csistoragecapacities")
        .rules(new StorageCapacityRules())
        .warnings(ObjectWarnings.whenWritten(TopologyWarnings::ofCapacity))
        .columns(Column.NAME, Column.CREATED)
        .build();
  }

  private static Resource attributesClasses() {
    return Resource.clusterWide(STORAGE, V1, "VolumeAttributesClass")
        .plural("volumeattributesclasses")
        .shortNames("vac")
        .rules(new VolumeAttributesClassRules())
        .columns(
            Column.NAME,
            Column.text("DriverName", "Who changes volumes.", Cells.text("driverName", "")),
            Column.AGE)
        .build();
  }

  private static Resource csiNodes() {
    return Resource.clusterWide(STORAGE, V1, "CSINode")
        .rules(new CsiNodeRules())
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
            new Column(
                "AllowVolumeExpansion",
                "string",
                "",
                "Whether volumes can grow.",
                0,
                (storageClass, now) -> storageClass.flag("allowVolumeExpansion", false)),
            Column.AGE)
        .rules(new StorageClassRules())
        .warnings(ObjectWarnings.whenWritten(TopologyWarnings::ofClass))
        .build();
  }

  private static Resource volumeAttachments() {
    return Resource.clusterWide(STORAGE, V1, "VolumeAttachment")
        .status()
        .rules(new VolumeAttachmentRules())
        .columns(
            Column.NAME,
            new Column(
                "Attacher",
                "string",
                "name",
                "Who attaches.",
                0,
                (attachment, now) -> attachment.object("spec").text("attacher", "")),
            Column.text(
                "PV", "What is attached.", Cells.text("spec.source.persistentVolumeName", "")),
            Column.text("Node", "To which node.", Cells.text("spec.nodeName", "")),
            new Column(
                "Attached",
                "boolean",
                "",
                "Whether it is.",
                0,
                (attachment, now) -> attachment.object("status").flag("attached", false)),
            Column.AGE)
        .build();
  }
}
