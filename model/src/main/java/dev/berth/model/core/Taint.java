package dev.berth.model.core;

import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mark on a node that keeps pods away which do not tolerate it.
 *
 * @param value empty if the taint has none
 * @param timeAdded when the taint was put on the node; only NoExecute taints are sure to have it
 */
public record Taint(String key, String value, TaintEffect effect, @Nullable Instant timeAdded) {

  public static Taint of(String key, TaintEffect effect) {
    return new Taint(key, "", effect, null);
  }

  public static Taint of(String key, String value, TaintEffect effect) {
    return new Taint(key, value, effect, null);
  }

  public static Taint read(JsonObject taint) {
    return new Taint(
        taint.text("key", ""),
        taint.text("value", ""),
        TaintEffect.of(taint.text("effect", "")),
        WireTime.read(taint, "timeAdded"));
  }

  public JsonObject toTree() {
    if (effect == TaintEffect.UNKNOWN) {
      throw new IllegalStateException("A taint of unknown effect cannot be written: " + key);
    }
    JsonObject.Builder tree = new JsonObject.Builder().put("key", key);
    if (!value.isEmpty()) {
      tree.put("value", value);
    }
    return tree.put("effect", effect.text())
        .putIfPresent("timeAdded", WireTime.text(timeAdded))
        .build();
  }

  /** The same taint, put on the node at a time. */
  public Taint addedAt(Instant time) {
    return new Taint(key, value, effect, time);
  }

  /** Whether a node can have only one of the two: taints are unique by key and effect. */
  public boolean sameKeyAndEffect(Taint other) {
    return effect == other.effect && key.equals(other.key);
  }

  /** The taint as {@code kubectl taint} takes it: {@code key=value:Effect}. */
  @Override
  public String toString() {
    String keyAndValue = value.isEmpty() ? key : key + "=" + value;
    return effect == TaintEffect.UNKNOWN ? keyAndValue : keyAndValue + ":" + effect.text();
  }
}
