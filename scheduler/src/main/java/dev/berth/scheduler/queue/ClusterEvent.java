package dev.berth.scheduler.queue;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.ClusterEventKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened, with the object before and after. The views are read when first asked
 * for, and once for all who wait.
 */
final class ClusterEvent {
  private final ClusterEventKind kind;
  private final @Nullable JsonObject before;
  private final @Nullable JsonObject after;

  private @Nullable NodeView nodeBefore;
  private @Nullable NodeView nodeAfter;
  private @Nullable PodView podBefore;
  private @Nullable PodView podAfter;
  private @Nullable ResourceList capacityBefore;
  private @Nullable ResourceList capacityAfter;

  ClusterEvent(ClusterEventKind kind, @Nullable JsonObject before, @Nullable JsonObject after) {
    this.kind = kind;
    this.before = before;
    this.after = after;
  }

  ClusterEventKind kind() {
    return kind;
  }

  @Nullable JsonObject before() {
    return before;
  }

  @Nullable JsonObject after() {
    return after;
  }

  /** The object as it is known best: after, or before if it is gone; null if neither was told. */
  @Nullable JsonObject object() {
    return after == null ? before : after;
  }

  /** The node on which it happened; empty if it was on none, or that is not known. */
  String place() {
    JsonObject object = object();
    if (object == null) {
      return "";
    }
    return switch (kind) {
      case NODE_ADDED,
          NODE_ALLOCATABLE_CHANGED,
          NODE_LABELS_CHANGED,
          NODE_TAINTS_CHANGED,
          NODE_UNSCHEDULABLE_CHANGED ->
          object.object("metadata").text("name", "");
      case POD_BOUND, POD_LABELS_CHANGED, POD_SCALED_DOWN, POD_GONE ->
          object.object("spec").text("nodeName", "");
      default -> "";
    };
  }

  @Nullable NodeView nodeBefore() {
    if (nodeBefore == null && before != null) {
      nodeBefore = NodeView.read(before);
    }
    return nodeBefore;
  }

  @Nullable NodeView nodeAfter() {
    if (nodeAfter == null && after != null) {
      nodeAfter = NodeView.read(after);
    }
    return nodeAfter;
  }

  @Nullable PodView podBefore() {
    if (podBefore == null && before != null) {
      podBefore = PodView.read(before);
    }
    return podBefore;
  }

  @Nullable PodView podAfter() {
    if (podAfter == null && after != null) {
      podAfter = PodView.read(after);
    }
    return podAfter;
  }

  /** What a node had to give before; nothing if it was not there. */
  ResourceList capacityBefore() {
    if (capacityBefore == null) {
      NodeView node = nodeBefore();
      capacityBefore = node == null ? ResourceList.EMPTY : ResourceList.read(node.allocatable());
    }
    return Objects.requireNonNull(capacityBefore);
  }

  /** What a node has to give now. */
  ResourceList capacityAfter() {
    if (capacityAfter == null) {
      NodeView node = nodeAfter();
      capacityAfter = node == null ? ResourceList.EMPTY : ResourceList.read(node.allocatable());
    }
    return Objects.requireNonNull(capacityAfter);
  }
}
