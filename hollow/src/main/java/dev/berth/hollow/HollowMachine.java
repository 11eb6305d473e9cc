package dev.berth.hollow;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * A node that differs from the others.
 *
 * @param labels beside those that every hollow node has
 * @param taints as it registers
 * @param amounts what it has to offer, by resource; all of it can be allocated
 * @param isKept whether it is on the server already and keeps what is said there: its labels, its
 *     amounts, its addresses
 */
public record HollowMachine(
    String name, JsonObject labels, JsonArray taints, JsonObject amounts, boolean isKept) {

  public HollowMachine(String name, JsonObject labels, JsonArray taints, JsonObject amounts) {
    this(name, labels, taints, amounts, false);
  }

  /** A node that is on the server already, and becomes hollow without changing there. */
  public static HollowMachine kept(String name, JsonObject amounts) {
    return new HollowMachine(name, JsonObject.EMPTY, JsonArray.EMPTY, amounts, true);
  }
}
