package dev.berth.scheduler;

import dev.berth.model.core.NodeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.ClusterEventKind;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What about a node has changed, as far as it matters to where pods go. Most changes of a node are
 * heartbeats, and do not matter here.
 */
final class NodeChanges {
  private NodeChanges() {}

  static Set<ClusterEventKind> between(JsonObject before, JsonObject after) {
    Set<ClusterEventKind> changes = EnumSet.noneOf(ClusterEventKind.class);
    JsonObject specBefore = before.object("spec");
    JsonObject specAfter = after.object("spec");
    if (!specBefore.array("taints").equals(specAfter.array("taints"))) {
      changes.add(ClusterEventKind.NODE_TAINTS_CHANGED);
    }
    if (specBefore.flag("unschedulable", false) != specAfter.flag("unschedulable", false)) {
      changes.add(ClusterEventKind.NODE_UNSCHEDULABLE_CHANGED);
    }
    if (!labels(before).equals(labels(after))) {
      changes.add(ClusterEventKind.NODE_LABELS_CHANGED);
    }
    if (!status(before, "allocatable").equals(status(after, "allocatable"))) {
      changes.add(ClusterEventKind.NODE_ALLOCATABLE_CHANGED);
    }
    if (!conditions(before).equals(conditions(after))) {
      changes.add(ClusterEventKind.NODE_CONDITIONS_CHANGED);
    }
    if (!NodeView.declaredFeatures(before).equals(NodeView.declaredFeatures(after))) {
      changes.add(ClusterEventKind.NODE_FEATURES_CHANGED);
    }
    return changes;
  }

  private static Map<String, String> conditions(JsonObject node) {
    Map<String, String> statuses = new HashMap<>();
    for (JsonObject condition : node.object("status").array("conditions").objects()) {
      statuses.put(condition.text("type", ""), condition.text("status", ""));
    }
    return statuses;
  }

  /** Whether the images differ, which changes scores but wakes no pod. */
  static boolean hasOtherImages(JsonObject before, JsonObject after) {
    return !before.object("status").array("images").equals(after.object("status").array("images"));
  }

  private static JsonObject labels(JsonObject node) {
    return node.object("metadata").object("labels");
  }

  private static JsonObject status(JsonObject node, String field) {
    return node.object("status").object(field);
  }
}
