package dev.berth.scheduler.message;

import dev.berth.client.event.EventRecorder;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/**
 * What an event about a pod says.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason what happened, in a word
 * @param action what the scheduler was doing
 * @param note the sentence for people; cut off where events.k8s.io would refuse more
 */
public record EventText(String type, String reason, String action, String note) {
  /** The longest note that the API takes. */
  static final int LONGEST_NOTE = 1024;

  private static final String CUT = " ...";

  public EventText {
    note =
        note.length() <= LONGEST_NOTE ? note : note.substring(0, LONGEST_NOTE - CUT.length()) + CUT;
  }

  public static EventText scheduled(ObjectName pod, String node) {
    return new EventText(
        "Normal", "Scheduled", "Binding", "Successfully assigned " + pod + " to " + node);
  }

  /** About a pod that has a node, and waits for devices to be prepared there. */
  public static EventText waitsForDevices(String node) {
    return new EventText(
        "Normal",
        "BindingConditionsPending",
        "Scheduling",
        "waiting for binding conditions for device on node " + node);
  }

  /** About a pod that stays pending, with its {@link FailureMessage} or an error. */
  public static EventText failedScheduling(String message) {
    return new EventText("Warning", "FailedScheduling", "Scheduling", message);
  }

  /**
   * About a victim; the preemptor is named by its identity alone, as others may not see its name.
   */
  public static EventText preempted(String preemptorUid, String node) {
    return new EventText(
        "Normal",
        "Preempted",
        "Preempting",
        "Preempted by pod " + preemptorUid + " on node " + node);
  }

  /** The event, about an object. */
  public EventRecorder.EventDetails about(JsonObject object) {
    return EventRecorder.EventDetails.of(
        object,
        type.equals("Warning") ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL,
        reason,
        action,
        note);
  }
}
