package dev.berth.controllers.tainteviction;

import dev.berth.controllers.reconcile.RetryingRequests;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.CountdownStart;
import dev.berth.policy.taint.RespectedBudgets;
import dev.berth.policy.taint.TaintTimes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node by its name, and the pods that are bound to it. The two are heard of in any order: there
 * may be pods before there is a node, and after it.
 */
final class TrackedNode {
  final String name;

  /** By UID, in the order in which they were first seen, so that a run repeats exactly. */
  final Map<String, TrackedPod> pods = new LinkedHashMap<>();

  /** As it was last told; null while there is none. */
  @Nullable JsonObject tree;

  /** All its taints, each NoExecute one with a time, which may be still to be written. */
  JsonArray stamped = JsonArray.EMPTY;

  /** Its NoExecute taints, each with the time from which it is counted. */
  List<Taint> taints = List.of();

  /** The annotation that says which of them respect disruption budgets; empty if there is none. */
  String annotation = "";

  /** What it says; nothing if it is not valid. */
  RespectedBudgets respected = RespectedBudgets.NONE;

  /** Writes the times of its taints, while that is tried. */
  RetryingRequests.@Nullable RetryingRequest stamping;

  TrackedNode(String name) {
    this.name = name;
  }

  /**
   * Takes note of what the node is now.
   *
   * @param after null if it is no more
   * @return whether its NoExecute taints are others than before, or respect budgets otherwise
   */
  boolean become(@Nullable JsonObject after, Instant now) {
    boolean isAnother = tree == null || after == null || !uid(tree).equals(uid(after));
    tree = after;
    RespectedBudgets respectedBefore = respected;
    readAnnotation(after);
    boolean respectsOthers = !respected.equals(respectedBefore);
    JsonArray known = isAnother ? JsonArray.EMPTY : stamped;
    List<Taint> before = taints;
    JsonArray told = after == null ? JsonArray.EMPTY : after.object("spec").array("taints");
    if (!isAnother && told.equals(known)) {
      return respectsOthers;
    }
    stamped = TaintTimes.stamp(known, told, now);
    taints =
        noExecute(stamped)
            .map(taint -> taint.addedAt(countedFrom(taint, known, before, now)))
            .toList();
    return respectsOthers || !taints.equals(before);
  }

  private void readAnnotation(@Nullable JsonObject node) {
    String text =
        node == null
            ? ""
            : node.object("metadata").object("annotations").text(RespectedBudgets.ANNOTATION, "");
    if (!text.equals(annotation)) {
      annotation = text;
      respected = node == null ? RespectedBudgets.NONE : RespectedBudgets.ofNode(Metadata.of(node));
    }
  }

  /** A taint whose time is what it was is counted as before; another was seen only now. */
  private static Instant countedFrom(
      Taint taint, JsonArray known, List<Taint> counted, Instant now) {
    List<Taint> written = noExecute(known).toList();
    for (int i = 0; i < written.size(); i++) {
      Taint old = written.get(i);
      if ((old.sameKeyAndEffect(taint) || WellKnownTaints.isSameProblem(old, taint))
          && Objects.equals(old.timeAdded(), taint.timeAdded())) {
        return Objects.requireNonNull(counted.get(i).timeAdded());
      }
    }
    return CountdownStart.ofTaint(taint, now);
  }

  private static Stream<Taint> noExecute(JsonArray taints) {
    return taints.objects().stream()
        .map(Taint::read)
        .filter(taint -> taint.effect() == TaintEffect.NO_EXECUTE);
  }

  /** Whether a NoExecute taint has no time on the server yet. */
  boolean lacksTimes() {
    return tree != null && !tree.object("spec").array("taints").equals(stamped);
  }

  /** Whether nothing is known of it that is worth keeping. */
  boolean isForgettable() {
    return pods.isEmpty() && taints.isEmpty() && annotation.isEmpty() && stamping == null;
  }

  private static String uid(JsonObject node) {
    return Metadata.of(node).uid();
  }
}
