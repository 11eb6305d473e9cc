package dev.berth.policy.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives NoExecute taints the time from which evictions are counted.
 *
 * <p>A taint that comes without {@code timeAdded} keeps the one that the node's taint of the same
 * key and effect has: an edit that leaves the field out, or gives the taint another value, does not
 * begin the countdown of every pod again. A taint that is new to the node was added now. A time
 * that the writer gives is kept.
 */
public final class TaintTimes {
  private TaintTimes() {}

  /** The taints a node is to have, each NoExecute one with a time. */
  public static JsonArray stamp(JsonArray before, JsonArray after, Instant now) {
    Map<String, Instant> times = new HashMap<>();
    for (JsonObject tree : before.objects()) {
      Taint taint = Taint.read(tree);
      if (taint.timeAdded() != null) {
        times.putIfAbsent(keyAndEffect(taint), taint.timeAdded());
      }
    }
    return after.mapObjects(tree -> {
      Taint taint = Taint.read(tree);
      return taint.effect() == TaintEffect.NO_EXECUTE && taint.timeAdded() == null
          ? tree.with("timeAdded", Times.format(times.getOrDefault(keyAndEffect(taint), now)))
          : tree;
    });
  }

  private static String keyAndEffect(Taint taint) {
    return taint.effect() + taint.key();
  }
}
