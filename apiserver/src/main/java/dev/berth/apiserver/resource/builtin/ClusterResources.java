package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.table.Cells;
import dev.berth.apiserver.table.Column;
import dev.berth.apiserver.table.CoreColumns;
import dev.berth.apiserver.table.StorageColumns;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** The groups about the cluster itself: leases, budgets, priorities, storage, nodes, discovery. */
final class ClusterResources {
  private static final String V1 = "v1";
  private static final String STORAGE = "storage.k8s.io";

  private ClusterResources() {}

  static List<Resource> all() {
    return List.of(
        leases(),
        endpointSlices(),
        runtimeClasses(),
        disruptionBudgets(),
        priorityClasses(),
        csiDrivers(),
        csiNodes(),
        storageClasses(),
        volumeAttachments());
  }

  private static Resource leases() {
    return Resource.namespaced("coordination.k8s.io", V1, "Lease")
        .createsOnUpdate()
        .columns(Column.NAME, CoreColumns.HOLDER, Column.AGE)
        .rules(new LeaseRules())
        .build();
  }

  private static Resource endpointSlices() {
    return Resource.namespaced("discovery.k8s.io", V1, "EndpointSlice")
        .columns(
            Column.NAME,
            Column.text("AddressType", "IPv4, IPv6 or FQDN.", Cells.text("addressType", "")),
            Column.text(
                "Ports",
                "The ports that serve.",
                slice ->
                    Cells.orNone(
                        slice.array("ports").objects().stream()
                            .map(port -> Long.toString(port.integer("port").orElse(0)))
                            .collect(Collectors.joining(",")))),
            Column.text(
                "Endpoints",
                "The addresses that serve.",
                slice ->
                    Cells.orNone(
                        slice.array("endpoints").objects().stream()
                            .flatMap(endpoint -> endpoint.array("addresses").texts().stream())
                            .collect(Collectors.joining(",")))),
            Column.AGE)
        .build();
  }

  private static Resource runtimeClasses() {
    return Resource.clusterWide("node.k8s.io", V1, "RuntimeClass")
        .plural("runtimeclasses")
        .columns(
            Column.NAME,
            Column.text("Handler", "What runs the pods.", Cells.text("handler", "")),
            Column.AGE)
        .build();
  }

  private static Resource disruptionBudgets() {
    return Resource.namespaced("policy", V1, "PodDisruptionBudget")
        .shortNames("pdb")
        .status()
        .countsGeneration()
        .rules(new DisruptionBudgetRules())
        .columns(
            Column.NAME,
            Column.text(
                "Min Available",
                "How many pods must stay.",
                Cells.text("spec.minAvailable", "N/A")),
            Column.text(
                "Max Unavailable",
                "How many pods may be missing.",
                Cells.text("spec.maxUnavailable", "N/A")),
            Column.number(
                "Allowed Disruptions",
                "How many pods may go now.",
                Cells.number("status.disruptionsAllowed")),
            Column.AGE)
        .build();
  }

  private static Resource priorityClasses() {
    return Resource.clusterWide("scheduling.k8s.io", V1, "PriorityClass")
        .plural("priorityclasses")
        .shortNames("pc")
        .rules(new PriorityClassRules())
        .columns(
            Column.NAME,
            Column.number("Value", "The priority.", Cells.number("value")),
            Column.text(
                "Global-Default",
                "Whether pods without a class have this one.",
                Cells.text("globalDefault", "false")),
            Column.AGE,
            Column.text(
                "PreemptionPolicy",
                "Whether pods of the class push out others.",
                Cells.text("preemptionPolicy", "")))
        .build();
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
            StorageColumns.CLASS_NAME,
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
