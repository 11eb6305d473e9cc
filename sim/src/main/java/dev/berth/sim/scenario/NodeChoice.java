package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigException;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.selector.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Which nodes something happens to: those that all conditions hold for, or some of them.
 *
 * @param names empty for whatever their names are
 * @param zones likewise
 * @param groups likewise
 * @param count how many of them, drawn at random
 * @param percent what share of them, drawn at random; at least one
 */
public record NodeChoice(
    Set<String> names,
    Set<String> zones,
    Set<String> groups,
    Optional<LabelSelector> labels,
    OptionalInt count,
    OptionalDouble percent) {
  private static final double WHOLE = 100;
  private static final int MOST_NAMED = 10;

  public static final NodeChoice ALL =
      new NodeChoice(
          Set.of(),
          Set.of(),
          Set.of(),
          Optional.empty(),
          OptionalInt.empty(),
          OptionalDouble.empty());

  public NodeChoice {
    names = Set.copyOf(names);
    zones = Set.copyOf(zones);
    groups = Set.copyOf(groups);
  }

  /**
   * The names of those that are chosen, in the order in which nodes are given.
   *
   * @throws ConfigException if there is none, or a name in the choice is nobody's
   */
  public List<String> choose(List<NodeView> nodes, RandomGenerator random) {
    unknown(nodes)
        .ifPresent(sentence -> {
          throw new ConfigException(sentence);
        });
    List<String> candidates =
        new ArrayList<>(nodes.stream().filter(this::matches).map(NodeView::name).toList());
    if (candidates.isEmpty()) {
      throw new ConfigException(
          "There is none of %s among the %d nodes.".formatted(words(), nodes.size()));
    }
    int wanted = candidates.size();
    if (percent.isPresent()) {
      wanted = Math.max(1, (int) Math.round(candidates.size() * percent.getAsDouble() / WHOLE));
    }
    wanted = Math.min(wanted, count.orElse(wanted));
    while (candidates.size() > wanted) {
      candidates.remove(random.nextInt(candidates.size()));
    }
    return candidates;
  }

  /** The first name in the choice that is nobody's, in a sentence with those that there are. */
  Optional<String> unknown(List<NodeView> nodes) {
    return unknown("node", names, nodes, NodeView::name)
        .or(() -> unknown("zone", zones, nodes, NodeChoice::zone))
        .or(() -> unknown("group", groups, nodes, NodeChoice::group));
  }

  private static Optional<String> unknown(
      String what, Set<String> wanted, List<NodeView> nodes, Function<NodeView, String> name) {
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    SortedSet<String> known = new TreeSet<>();
    nodes.forEach(node -> known.add(name.apply(node)));
    known.remove("");
    return wanted.stream()
        .sorted()
        .filter(each -> !known.contains(each))
        .findFirst()
        .map(each -> "There is no %s %s; there %s.".formatted(what, each, some(known)));
  }

  private static String some(SortedSet<String> known) {
    String first = String.join(", ", known.stream().limit(MOST_NAMED).toList());
    return switch (known.size()) {
      case 0 -> "is none";
      case 1 -> "is only " + first;
      default ->
          known.size() > MOST_NAMED
              ? "are %s and %d others".formatted(first, known.size() - MOST_NAMED)
              : "are " + first;
    };
  }

  private static String zone(NodeView node) {
    return node.labels().text(WellKnownLabels.ZONE, "");
  }

  private static String group(NodeView node) {
    return node.labels().text(NodeGroup.LABEL, "");
  }

  private boolean matches(NodeView node) {
    return isIn(names, node.name())
        && isIn(zones, zone(node))
        && isIn(groups, group(node))
        && labels.map(selector -> selector.matches(node.labels())).orElse(true);
  }

  private static boolean isIn(Set<String> wanted, String value) {
    return wanted.isEmpty() || wanted.contains(value);
  }

  /** As the story names them. */
  public String words() {
    List<String> which = new ArrayList<>();
    add(which, "node", names);
    add(which, "zone", zones);
    add(which, "group", groups);
    labels.ifPresent(selector -> which.add("nodes with " + selector));
    String all = which.isEmpty() ? "all nodes" : String.join(", ", which);
    if (count.isPresent()) {
      return count.getAsInt() + " of " + all;
    }
    return percent.isPresent() ? "%s%% of %s".formatted(plain(percent.getAsDouble()), all) : all;
  }

  private static void add(List<String> which, String what, Set<String> names) {
    if (!names.isEmpty()) {
      String plural = names.size() == 1 ? what : what + "s";
      which.add(plural + " " + String.join(", ", names.stream().sorted().toList()));
    }
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
