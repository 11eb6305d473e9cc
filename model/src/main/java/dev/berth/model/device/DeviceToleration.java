package dev.berth.model.device;

import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonObject;
import java.util.List;
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

  /** What an allocated device's request tolerates, by the result that says so. */
  public static List<DeviceToleration> of(JsonObject result) {
    return Views.list(result.array("tolerations"), DeviceToleration::read);
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
