package dev.berth.cel.eval;

import java.util.ArrayList;

/** The accumulator of a comprehension: adding to it changes it until the comprehension is done. */
final class GrowingList extends ArrayList<Object> {
  private static final long serialVersionUID = 1;

  private boolean growing = true;

  boolean isGrowing() {
    return growing;
  }

  void finish() {
    growing = false;
  }
}
