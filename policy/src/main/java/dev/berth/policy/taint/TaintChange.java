package dev.berth.policy.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Taints to put on a node and to take off it. It is applied to the node's tree as it is at that
 * moment, taint by taint, so that other taints, and fields of taints that Berth does not know, stay
 * as they are.
 */
public record TaintChange(List<Taint> add, List<Taint> remove) {
  public static final TaintChange NONE = new TaintChange(List.of(), List.of());

  public TaintChange {
    add = List.copyOf(add);
    remove = List.copyOf(remove);
  }

  public boolean isEmpty() {
    return add.isEmpty() && remove.isEmpty();
  }

  /**
   * The node's taints after the change. What is to be added and is there already stays, with its
   * time. So does the time of a taint that gives way to one of the same {@linkplain
   * WellKnownTaints#isSameProblem problem}: a node that changes between not-ready and unreachable
   * does not begin the countdown of its pods again. What else is new was added now.
   */
  public JsonArray applyTo(JsonArray taints, Instant now) {
    JsonArray changed = JsonArray.EMPTY;
    for (JsonObject tree : taints.objects()) {
      if (!contains(remove, Taint.read(tree))) {
        changed = changed.append(tree);
      }
    }
    List<Taint> present = changed.objects().stream().map(Taint::read).toList();
    for (Taint taint : add) {
      if (!contains(present, taint)) {
        changed = changed.append(taint.addedAt(since(taint, taints, now)).toTree());
      }
    }
    return changed;
  }

  private Instant since(Taint taint, JsonArray before, Instant now) {
    return before.objects().stream()
        .map(Taint::read)
        .filter(old -> contains(remove, old) && WellKnownTaints.isSameProblem(old, taint))
        .flatMap(old -> Stream.ofNullable(old.timeAdded()))
        .findFirst()
        .orElse(now);
  }

  private static boolean contains(List<Taint> taints, Taint taint) {
    return taints.stream().anyMatch(taint::sameKeyAndEffect);
  }
}
