package dev.berth.model.device;

import dev.berth.model.tree.JsonObject;
import java.util.OptionalLong;

/**
 * Which taints of devices a request tolerates. An empty key or effect means every one; {@code
 * Exists} means every value.
 *
 * @param seconds for how long a NoExecute taint is tolerated; for ever if empty
 */
public record DeviceToleration(
    String key, String operator, String value, String effect, OptionalLong seconds) {

  public static DeviceToleration read(JsonObject toleration) {
    return new DeviceToleration(
        toleration.text("key", ""),
        toleration.text("operator", ""),
        toleration.text("value", ""),
        toleration.text("effect", ""),
        toleration.integer("tolerationSeconds"));
  }

  public boolean tolerates(DeviceTaint taint) {
    if (!effect.isEmpty() && !effect.equals(taint.effect())) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    return switch (operator) {
      case "", "Equal" -> value.equals(taint.value());
      case "Exists" -> true;
      default -> false;
    };
  }
}
