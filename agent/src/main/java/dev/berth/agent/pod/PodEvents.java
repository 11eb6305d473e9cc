package dev.berth.agent.pod;

import dev.berth.agent.probe.Outcome;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.event.EventRecorder.EventDetails;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Events about this node's pods and their containers. Lives on the loop of the pods. */
final class PodEvents {
  private final EventRecorder recorder;
  private final String node;

  PodEvents(EventRecorder recorder, String node) {
    this.recorder = recorder;
    this.node = node;
  }

  void normal(JsonObject pod, String reason, String message) {
    record(reference(pod), EventRecorder.Type.NORMAL, reason, message);
  }

  void warning(JsonObject pod, String reason, String message) {
    record(reference(pod), EventRecorder.Type.WARNING, reason, message);
  }

  void normal(JsonObject pod, String container, String reason, String message) {
    record(reference(pod, container), EventRecorder.Type.NORMAL, reason, message);
  }

  void warning(JsonObject pod, String container, String reason, String message) {
    record(reference(pod, container), EventRecorder.Type.WARNING, reason, message);
  }

  /** A hook was understood although it was not as it should be, if that is so. */
  void hookWarned(JsonObject pod, Outcome outcome) {
    if (outcome.kind() == Outcome.Kind.WARNING) {
      warning(pod, "LifecycleHTTPFallback", outcome.output());
    }
  }

  private void record(
      JsonObject regarding, EventRecorder.Type type, String reason, String message) {
    recorder.record(EventDetails.of(regarding, type, reason, "", message).reportedBy(node));
  }

  /** Items of lists and files do not always say what they are. */
  private static JsonObject reference(JsonObject pod) {
    return new JsonObject.Builder()
        .put("kind", "Pod")
        .put("apiVersion", "v1")
        .put("metadata", pod.object("metadata"))
        .build();
  }

  private static JsonObject reference(JsonObject pod, String container) {
    for (String field : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (JsonObject each : pod.object("spec").array(field).objects()) {
        if (each.text("name", "").equals(container)) {
          return reference(pod).with("fieldPath", "spec.%s{%s}".formatted(field, container));
        }
      }
    }
    return reference(pod);
  }
}
