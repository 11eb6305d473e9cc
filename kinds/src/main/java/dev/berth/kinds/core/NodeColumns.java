package dev.berth.kinds.core;

import dev.berth.kinds.column.Ages;
import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/** How nodes are printed. */
final class NodeColumns {
  static final Column STATUS =
      Column.text("Status", "Whether the node is ready for pods.", NodeColumns::status);

  static final Column ROLES =
      Column.text("Roles", "What the node's labels say it is for.", NodeColumns::roles);

  static final Column VERSION =
      Column.text("Version", "The version of the node's agent.", info("kubeletVersion"));

  static final Column INTERNAL_IP =
      Column.text("Internal-IP", "The address inside the cluster.", node -> ip(node, "InternalIP"))
          .wide();

  static final Column EXTERNAL_IP =
      Column.text("External-IP", "The address from outside.", node -> ip(node, "ExternalIP"))
          .wide();

  static final Column OS_IMAGE =
      Column.text("OS-Image", "The system that the node runs.", info("osImage")).wide();

  static final Column KERNEL =
      Column.text("Kernel-Version", "The kernel that the node runs.", info("kernelVersion")).wide();

  static final Column RUNTIME =
      Column.text("Container-Runtime", "What runs the containers.", info("containerRuntimeVersion"))
          .wide();

  private NodeColumns() {}

  private static String status(JsonObject node) {
    List<String> words = new ArrayList<>();
    String ready =
        Conditions.find(node.object("status").array("conditions"), "Ready")
            .map(condition -> condition.text("status", ""))
            .orElse("");
    if (ready.isEmpty()) {
      words.add("Unknown");
    } else {
      words.add(ready.equals(Conditions.TRUE) ? "Ready" : "NotReady");
    }
    if (node.object("spec").flag("unschedulable", false)) {
      words.add("SchedulingDisabled");
    }
    return Cells.join(words);
  }

  private static String roles(JsonObject node) {
    TreeSet<String> roles = new TreeSet<>();
    JsonObject labels = node.object("metadata").object("labels");
    for (String key : labels.names()) {
      if (key.startsWith(WellKnownLabels.NODE_ROLE_PREFIX)) {
        roles.add(key.substring(WellKnownLabels.NODE_ROLE_PREFIX.length()));
      } else if (key.equals(WellKnownLabels.NODE_ROLE)) {
        roles.add(labels.text(key, ""));
      }
    }
    roles.remove("");
    return Cells.orNone(String.join(",", roles));
  }

  private static String ip(JsonObject node, String type) {
    return node.object("status").array("addresses").objects().stream()
        .filter(address -> address.text("type", "").equals(type))
        .map(address -> address.text("address", ""))
        .findFirst()
        .orElse(Cells.NONE);
  }

  private static Function<JsonObject, String> info(String field) {
    return node -> {
      String text = node.object("status").object("nodeInfo").text(field, "");
      return text.isEmpty() && !field.equals("kubeletVersion") ? Ages.UNKNOWN : text;
    };
  }
}
