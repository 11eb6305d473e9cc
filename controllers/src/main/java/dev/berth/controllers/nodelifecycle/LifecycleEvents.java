package dev.berth.controllers.nodelifecycle;

import dev.berth.client.event.EventRecorder;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.ZoneRate;
import dev.berth.policy.node.ZoneState;

/**
 * What the controller tells people: reasons and messages are upstream's where it has one. A zone is
 * no object, so its changes are told as events of one of its nodes: the first unhealthy one by
 * name, or the first one when all are well.
 */
final class LifecycleEvents {
  private static final String ACTION = "HealthCheck";

  private final EventRecorder recorder;

  LifecycleEvents(EventRecorder recorder) {
    this.recorder = recorder;
  }

  void registered(JsonObject node) {
    about(node, "RegisteredNode", "Node %1$s event: Registered Node %1$s in Controller");
  }

  void removed(JsonObject node) {
    about(node, "RemovingNode", "Node %1$s event: Removing Node %1$s from Controller");
  }

  void notReady(JsonObject node) {
    about(node, "NodeNotReady", "Node %1$s status is now: NodeNotReady");
  }

  private void about(JsonObject node, String reason, String message) {
    recorder.record(
        node,
        EventRecorder.Type.NORMAL,
        reason,
        ACTION,
        message.formatted(Metadata.of(node).name()));
  }

  void podNotReady(JsonObject pod) {
    recorder.record(pod, EventRecorder.Type.WARNING, "NodeNotReady", ACTION, "Node is not ready");
  }

  void podEvicted(JsonObject pod, String node) {
    recorder.record(
        pod,
        EventRecorder.Type.NORMAL,
        "NodeControllerEviction",
        ACTION,
        "Marking for deletion Pod %s from Node %s".formatted(ObjectName.of(pod).name(), node));
  }

  void zoneChanged(JsonObject node, ZoneRate rate) {
    EventRecorder.Type type =
        rate.state() == ZoneState.NORMAL ? EventRecorder.Type.NORMAL : EventRecorder.Type.WARNING;
    recorder.record(node, type, "ZoneStateChanged", ACTION, rate.explanation());
  }
}
