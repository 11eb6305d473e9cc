package dev.berth.policy.autoscale;

import dev.berth.model.autoscaling.TargetScale;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import java.util.Collection;
import java.util.stream.Collectors;

/** Which pods belong to the target of an autoscaler, and to that of no other one. */
public sealed interface TargetSelector {

  record Valid(LabelSelector selector) implements TargetSelector {}

  /**
   * That cannot be told.
   *
   * @param event the reason of an event that tells
   * @param why for people
   * @param reason the reason of the condition
   * @param message the message of the condition
   */
  record Invalid(String event, String why, String reason, String message)
      implements TargetSelector {}

  /** Reads what the target says. */
  static TargetSelector of(TargetScale scale) {
    if (scale.selector().isEmpty()) {
      return new Invalid(
          "SelectorRequired",
          "selector is required",
          "InvalidSelector",
          "the HPA target's scale is missing a selector");
    }
    try {
      return new Valid(LabelSelector.parse(scale.selector()));
    } catch (SelectorException e) {
      String why =
          "couldn't convert selector into a corresponding internal selector object: "
              + e.getMessage();
      return new Invalid("InvalidSelector", why, "InvalidSelector", why);
    }
  }

  /** What it is if several autoscalers have pods of it. */
  static Invalid ambiguous(TargetScale scale, Collection<ObjectName> autoscalers) {
    String all =
        autoscalers.stream()
            .sorted()
            .map(each -> "{%s %s}".formatted(each.name(), each.namespace()))
            .collect(Collectors.joining(" "));
    String why =
        "pods by selector %s are controlled by multiple HPAs: [%s]"
            .formatted(scale.selector(), all);
    return new Invalid("AmbiguousSelector", why, "AmbiguousSelector", why);
  }
}
