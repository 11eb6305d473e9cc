package dev.berth.model.autoscaling;

import dev.berth.model.tree.JsonObject;

/**
 * What a target says of itself.
 *
 * @param specReplicas how many replicas there should be
 * @param statusReplicas how many there are
 * @param selector which pods are its own, as text
 */
public record TargetScale(int specReplicas, int statusReplicas, String selector) {

  /** From an object of kind Scale. */
  public static TargetScale read(JsonObject scale) {
    return new TargetScale(
        Math.toIntExact(scale.object("spec").integer("replicas").orElse(0)),
        Math.toIntExact(scale.object("status").integer("replicas").orElse(0)),
        scale.object("status").text("selector", ""));
  }
}
