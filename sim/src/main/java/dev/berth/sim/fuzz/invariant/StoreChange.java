package dev.berth.sim.fuzz.invariant;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A write that the store has acknowledged.
 *
 * @param resource as keys name it, such as {@code deployments.apps}
 * @param before what it replaced; null if there was nothing
 * @param after what is there now; null if it was deleted
 * @param at on the monotonic clock
 * @param sender the process whose request it was; empty if the server wrote by itself
 */
public record StoreChange(
    String resource,
    ObjectName name,
    @Nullable JsonObject before,
    @Nullable JsonObject after,
    Instant at,
    String sender) {

  /** The object as it is now, or as it was last. */
  public JsonObject latest() {
    JsonObject now = after == null ? before : after;
    if (now == null) {
      throw new IllegalStateException(name + " was never there");
    }
    return now;
  }
}
