package dev.berth.model.core;

import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node as controllers and the scheduler see it. Labels and amounts are the tree's own objects;
 * see {@link ResourceList} for the amounts.
 */
public record NodeView(
    String name,
    String uid,
    JsonObject labels,
    @Nullable Instant creationTimestamp,
    boolean unschedulable,
    List<Taint> taints,
    List<Condition> conditions,
    JsonObject capacity,
    JsonObject allocatable,
    Zone zone) {

  public static NodeView read(JsonObject node) {
    JsonObject metadata = node.object("metadata");
    JsonObject spec = node.object("spec");
    JsonObject status = node.object("status");
    JsonObject labels = metadata.object("labels");
    return new NodeView(
        metadata.text("name", ""),
        metadata.text("uid", ""),
        labels,
        WireTime.read(metadata, "creationTimestamp"),
        spec.flag("unschedulable", false),
        Views.list(spec.array("taints"), Taint::read),
        Views.list(status.array("conditions"), Condition::read),
        status.object("capacity"),
        status.object("allocatable"),
        Zone.ofLabels(labels));
  }

  /** What a node declares that it can do. */
  public static List<String> declaredFeatures(JsonObject node) {
    return node.object("status").array("declaredFeatures").texts();
  }

  /** The same node with other conditions. */
  public NodeView withConditions(List<Condition> others) {
    return new NodeView(
        name,
        uid,
        labels,
        creationTimestamp,
        unschedulable,
        taints,
        List.copyOf(others),
        capacity,
        allocatable,
        zone);
  }

  public Optional<Condition> condition(String type) {
    return Condition.find(conditions, type);
  }

  /** Whether the Ready condition is True. */
  public boolean ready() {
    return condition(Condition.READY).filter(c -> c.status() == ConditionStatus.TRUE).isPresent();
  }

  public boolean hasLabel(String key) {
    return labels.has(key);
  }

  /** Whether the node has all of these labels, with these values. */
  public boolean hasLabels(JsonObject wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.value(i).equals(labels.get(wanted.name(i)))) {
        return false;
      }
    }
    return true;
  }

  public boolean hasTaint(Taint taint) {
    return taints.stream().anyMatch(taint::sameKeyAndEffect);
  }
}
