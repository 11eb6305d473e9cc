package dev.berth.policy.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

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
    JsonArray stamped = after;
    List<JsonObject> taints = after.objects();
    for (int i = 0; i < taints.size(); i++) {
      Taint taint = Taint.read(taints.get(i));
      if (taint.effect() == TaintEffect.NO_EXECUTE && taint.timeAdded() == null) {
        String time = Times.format(timeBefore(before, taint, now));
        stamped = stamped.with(i, taints.get(i).with("timeAdded", time));
      }
    }
    return stamped;
  }

  private static Instant timeBefore(JsonArray before, Taint taint, Instant now) {
    for (JsonObject tree : before.objects()) {
      Taint old = Taint.read(tree);
      if (old.sameKeyAndEffect(taint) && old.timeAdded() != null) {
        return old.timeAdded();
      }
    }
    return now;
  }
}
