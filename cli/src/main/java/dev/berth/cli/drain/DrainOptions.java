package dev.berth.cli.drain;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelRequirement;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;

/** What a NodeDrain is made of, in the words of {@code kubectl drain} where it has them. */
final class DrainOptions {
  static final Option SELECTOR =
      new Option("--selector", "LABELS", "Drains the nodes with these labels, such as a=b,c!=d.");
  static final Option NAME =
      new Option(
          "--name", "NAME", "What the NodeDrain is called (default: drain- and five letters).");
  private static final Option POD_SELECTOR =
      new Option("--pod-selector", "LABELS", "Evicts these pods alone.");
  private static final Option DAEMON_SETS =
      new Option(
          "--ignore-daemonsets",
          "[=true|false]",
          "Leaves pods of DaemonSets alone; without it, a node that has any is not drained.");
  private static final Option EMPTY_DIRS =
      new Option(
          "--delete-emptydir-data",
          "[=true|false]",
          "Evicts pods with an emptyDir, too, whose data are lost.");
  private static final Option FORCE =
      new Option(
          "--force",
          "[=true|false]",
          "Evicts pods without a controller, too, which nobody makes again.");
  private static final Option GRACE =
      new Option(
          "--grace-period",
          "SECONDS",
          "How long each pod gets to end (default: what the pod says, as with -1).");
  private static final Option DEADLINE =
      new Option(
          "--deadline",
          "DURATION",
          "How long disruption budgets may hold the drain back, after which it fails (default: as"
              + " long as they like).");
  private static final Option DELETE =
      Option.flag(
          "--delete-after-deadline",
          "Deletes the pods that are left at the deadline, whatever budgets say, instead of"
              + " failing.");
  private static final Option PARALLEL =
      new Option("--parallel", "N", "How many nodes are drained at a time (default: 1).");

  private static final int MOST_NODES = 5000;

  private DrainOptions() {}

  static List<Option> options() {
    return List.of(
        SELECTOR,
        PARALLEL,
        DEADLINE,
        DELETE,
        DAEMON_SETS,
        EMPTY_DIRS,
        FORCE,
        GRACE,
        POD_SELECTOR,
        NAME);
  }

  /** The NodeDrain that is asked for. */
  static JsonObject drain(Arguments arguments, List<String> nodes) {
    JsonObject.Builder spec = new JsonObject.Builder();
    boolean selects = arguments.has(SELECTOR.name());
    if (selects == !nodes.isEmpty()) {
      throw new UsageException(
          (selects ? "Give the names of nodes or --selector, not both. " : "Which nodes? ")
              + "Use berth drain NODE... or berth drain --selector=LABELS.");
    }
    if (selects) {
      spec.put("nodeSelector", selector(arguments, SELECTOR));
    } else {
      spec.put("nodes", JsonArray.copyOf(nodes.stream().distinct().toList()));
    }
    spec.put("maxConcurrentNodes", (long) arguments.number(PARALLEL.name(), 1, 1, MOST_NODES));
    if (arguments.has(DEADLINE.name())) {
      Duration deadline = FlagValues.duration(arguments, DEADLINE, Duration.ZERO);
      spec.put("deadline", GoDuration.text(deadline));
    }
    if (arguments.has(DELETE.name())) {
      if (!arguments.has(DEADLINE.name())) {
        throw new UsageException("--delete-after-deadline needs --deadline, such as 30m.");
      }
      spec.put("afterDeadline", DrainSpec.DELETE);
    }
    int grace = arguments.number(GRACE.name(), -1, -1, Integer.MAX_VALUE);
    if (grace >= 0) {
      spec.put("gracePeriodSeconds", (long) grace);
    }
    spec.put("ignoreDaemonSets", FlagValues.flag(arguments, DAEMON_SETS));
    spec.put("deleteEmptyDirData", FlagValues.flag(arguments, EMPTY_DIRS));
    spec.put("force", FlagValues.flag(arguments, FORCE));
    if (arguments.has(POD_SELECTOR.name())) {
      spec.put("podSelector", selector(arguments, POD_SELECTOR));
    }
    return new JsonObject.Builder()
        .put("apiVersion", "berth.dev/v1alpha1")
        .put("kind", "NodeDrain")
        .put("metadata", metadata(arguments))
        .put("spec", spec.build())
        .build();
  }

  private static JsonObject metadata(Arguments arguments) {
    String name = arguments.text(NAME.name()).orElse("");
    if (name.isEmpty()) {
      return JsonObject.of("generateName", "drain-");
    }
    List<String> problems = NameRules.dns1123Subdomain(name);
    if (!problems.isEmpty()) {
      throw new UsageException("--name: " + problems.getFirst());
    }
    return JsonObject.of("name", name);
  }

  /** A selector as objects have it. */
  private static JsonObject selector(Arguments arguments, Option option) {
    String text = arguments.text(option.name()).orElse("");
    try {
      List<JsonObject> expressions =
          LabelSelector.parse(text).requirements().stream()
              .map(requirement -> expression(requirement, option))
              .toList();
      if (!expressions.isEmpty()) {
        return JsonObject.of("matchExpressions", JsonArray.copyOf(expressions));
      }
    } catch (SelectorException e) {
      throw new UsageException("%s: %s".formatted(option.name(), e.getMessage()));
    }
    throw new UsageException(option.name() + " must be labels, such as a=b,c!=d, not \"\".");
  }

  private static JsonObject expression(LabelRequirement requirement, Option option) {
    String operator =
        switch (requirement.operator()) {
          case IN, EQUALS, DOUBLE_EQUALS -> "In";
          case NOT_IN, NOT_EQUALS -> "NotIn";
          case EXISTS -> "Exists";
          case DOES_NOT_EXIST -> "DoesNotExist";
          case GREATER_THAN, LESS_THAN ->
              throw new UsageException(option.name() + " cannot compare numbers.");
        };
    JsonObject.Builder tree =
        new JsonObject.Builder().put("key", requirement.key()).put("operator", operator);
    return (requirement.values().isEmpty()
            ? tree
            : tree.put("values", JsonArray.copyOf(requirement.values())))
        .build();
  }
}
