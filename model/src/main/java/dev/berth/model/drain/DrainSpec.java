package dev.berth.model.drain;

import dev.berth.model.quantity.GoDuration;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a NodeDrain asks for.
 *
 * @param nodes names of nodes
 * @param nodeSelector selects further ones, as they are when the drain begins
 * @param deadline how long after its beginning budgets may hold it back; empty for as long as they
 *     like
 * @param deletesAfterDeadline whether pods are deleted after the deadline, whatever budgets say;
 *     otherwise the drain fails then
 * @param force whether pods without a controller go, which nobody makes again
 * @param podSelector the pods to evict; others are left alone
 * @param problem why it cannot be carried out, if it cannot
 */
public record DrainSpec(
    List<String> nodes,
    LabelSelector nodeSelector,
    int maxConcurrentNodes,
    Optional<Duration> deadline,
    boolean deletesAfterDeadline,
    OptionalLong gracePeriodSeconds,
    boolean ignoreDaemonSets,
    boolean deleteEmptyDirData,
    boolean force,
    LabelSelector podSelector,
    boolean paused,
    boolean cancelled,
    Optional<String> problem) {

  /** The value of {@code spec.afterDeadline} that has pods deleted; the other one is Fail. */
  public static final String DELETE = "Delete";

  public static DrainSpec read(JsonObject drain) {
    JsonObject spec = drain.object("spec");
    List<String> nodes = spec.array("nodes").texts().stream().distinct().toList();
    String deadline = spec.text("deadline", "");
    Optional<Duration> read = Optional.ofNullable(GoDuration.parse(deadline));
    return new DrainSpec(
        nodes,
        selector(spec, "nodeSelector", LabelSelector.NOTHING),
        Math.clamp(spec.integer("maxConcurrentNodes").orElse(1), 1, Integer.MAX_VALUE),
        read,
        spec.text("afterDeadline", "").equals(DELETE),
        spec.integer("gracePeriodSeconds"),
        spec.flag("ignoreDaemonSets", false),
        spec.flag("deleteEmptyDirData", false),
        spec.flag("force", false),
        selector(spec, "podSelector", LabelSelector.EVERYTHING),
        spec.flag("paused", false),
        spec.flag("cancelled", false),
        problem(spec, nodes, deadline.isEmpty() || read.isPresent()));
  }

  private static LabelSelector selector(JsonObject spec, String field, LabelSelector whenAbsent) {
    try {
      return spec.has(field) ? LabelSelector.fromTree(spec.get(field)) : whenAbsent;
    } catch (SelectorException e) {
      return LabelSelector.NOTHING;
    }
  }

  private static Optional<String> problem(
      JsonObject spec, List<String> nodes, boolean deadlineIsReadable) {
    if (nodes.isEmpty() && !spec.has("nodeSelector")) {
      return Optional.of("spec names no nodes: set spec.nodes or spec.nodeSelector");
    }
    if (!deadlineIsReadable) {
      return Optional.of(
          "spec.deadline is \"%s\", which is no duration such as 30m"
              .formatted(spec.text("deadline", "")));
    }
    for (String field : List.of("nodeSelector", "podSelector")) {
      try {
        LabelSelector.fromTree(spec.get(field));
      } catch (SelectorException e) {
        return Optional.of("spec.%s cannot be read: %s".formatted(field, e.getMessage()));
      }
    }
    return Optional.empty();
  }
}
