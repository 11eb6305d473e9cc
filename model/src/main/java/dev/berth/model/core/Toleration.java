package dev.berth.model.core;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which taints a pod tolerates.
 *
 * @param key the taint's key; empty means every key
 * @param value empty if the toleration has none
 * @param effect the taint's effect; null means every effect
 * @param tolerationSeconds how long a NoExecute taint is tolerated; null means for ever, while zero
 *     and less mean not at all
 */
public record Toleration(
    String key,
    TolerationOperator operator,
    String value,
    @Nullable TaintEffect effect,
    @Nullable Long tolerationSeconds) {

  /** Tolerates a key whatever its value. */
  public static Toleration exists(String key, TaintEffect effect) {
    return new Toleration(key, TolerationOperator.EXISTS, "", effect, null);
  }

  /** Tolerates a key with one value. */
  public static Toleration equal(String key, String value, TaintEffect effect) {
    return new Toleration(key, TolerationOperator.EQUAL, value, effect, null);
  }

  public static Toleration read(JsonObject toleration) {
    String effect = toleration.text("effect", "");
    return new Toleration(
        toleration.text("key", ""),
        TolerationOperator.of(toleration.text("operator", "")),
        toleration.text("value", ""),
        effect.isEmpty() ? null : TaintEffect.of(effect),
        Views.integer(toleration, "tolerationSeconds"));
  }

  /** The tolerations of a pod's specification. */
  public static List<Toleration> list(JsonArray tolerations) {
    return Views.list(tolerations, Toleration::read);
  }

  public JsonObject toTree() {
    if (operator == TolerationOperator.UNKNOWN || effect == TaintEffect.UNKNOWN) {
      throw new IllegalStateException(
          "A toleration of unknown operator or effect cannot be written: " + key);
    }
    JsonObject.Builder tree = new JsonObject.Builder();
    if (!key.isEmpty()) {
      tree.put("key", key);
    }
    tree.put("operator", operator.text());
    if (!value.isEmpty()) {
      tree.put("value", value);
    }
    return tree.putIfPresent("effect", effect == null ? null : effect.text())
        .putIfPresent("tolerationSeconds", tolerationSeconds)
        .build();
  }

  /** The same toleration, for a number of seconds. */
  public Toleration seconds(long seconds) {
    return new Toleration(key, operator, value, effect, seconds);
  }

  /** Whether the two tolerate the same taints; they may differ in seconds. */
  public boolean sameTaintsAs(Toleration other) {
    return key.equals(other.key)
        && operator == other.operator
        && value.equals(other.value)
        && effect == other.effect;
  }
}
