package dev.berth.scheduler.plugin.dynamicresources;

import dev.berth.model.device.DeviceId;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * What the devices of a claim still need before a pod can be bound: some have to be attached to the
 * node first, say. Their drivers tell by conditions of the claim's status.
 */
public sealed interface BindingConditions {

  /** All of them are ready, which most devices always are. */
  record Ready() implements BindingConditions {}

  /** Some are not. */
  record Pending() implements BindingConditions {}

  /** A driver says that one will not be. */
  record Failed(String message) implements BindingConditions {}

  static BindingConditions of(ResourceClaimView claim) {
    boolean isReady = true;
    for (JsonObject result : claim.results()) {
      List<String> wanted = result.array("bindingConditions").texts();
      if (wanted.isEmpty()) {
        continue;
      }
      JsonObject device = device(claim, DeviceId.read(result));
      for (String failure : result.array("bindingFailureConditions").texts()) {
        JsonObject condition = condition(device, failure);
        if (isTrue(condition)) {
          return new Failed(
              "device binding failed: claim=%s, reason=%s, message=\"%s\""
                  .formatted(
                      claim.name().name(),
                      condition.text("reason", ""),
                      condition.text("message", "")));
        }
      }
      isReady &= wanted.stream().allMatch(type -> isTrue(condition(device, type)));
    }
    return isReady ? new Ready() : new Pending();
  }

  /** Whether a claim has devices that need anything. */
  static boolean areThere(ResourceClaimView claim) {
    return claim.results().stream()
        .anyMatch(result -> !result.array("bindingConditions").isEmpty());
  }

  private static JsonObject device(ResourceClaimView claim, DeviceId id) {
    return claim.tree().object("status").array("devices").objects().stream()
        .filter(device -> DeviceId.read(device).equals(id))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  private static JsonObject condition(JsonObject device, String type) {
    return device.array("conditions").objects().stream()
        .filter(condition -> condition.text("type", "").equals(type))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  private static boolean isTrue(JsonObject condition) {
    return condition.text("status", "").equals("True");
  }
}
