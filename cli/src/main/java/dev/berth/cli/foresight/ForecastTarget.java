package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.sim.forecast.ForecastAction;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads what a forecast is about, and finds the nodes. */
final class ForecastTarget {
  private static final String USAGE =
      "Use \"berth forecast taint NODES KEY[=VALUE]:EFFECT\", \"cordon NODES\", \"drain NODES\","
          + " \"lose node NODES\", \"lose zone ZONE\" or \"lose percent PERCENT\"; NODES are names"
          + " with commas between them.";
  private static final int SHOWN = 5;
  private static final List<TaintEffect> EFFECTS =
      List.of(TaintEffect.NO_SCHEDULE, TaintEffect.PREFER_NO_SCHEDULE, TaintEffect.NO_EXECUTE);

  private final List<NodeView> nodes;

  private ForecastTarget(ClusterSnapshot snapshot) {
    nodes = snapshot.list("nodes").stream().map(NodeView::read).toList();
  }

  /** The words, checked as far as they can be without looking at a cluster. */
  static void check(List<String> words) {
    boolean three = words.size() == 3;
    boolean fits =
        switch (words.getFirst()) {
          case "taint" -> three;
          case "cordon", "drain" -> words.size() == 2;
          case "lose" -> three && List.of("node", "zone", "percent").contains(words.get(1));
          default -> false;
        };
    if (!fits) {
      throw new UsageException(USAGE);
    }
    if (words.getFirst().equals("taint")) {
      taint(words.get(2));
    }
    if (words.get(1).equals("percent")) {
      percent(words.get(2));
    }
  }

  static ForecastAction read(List<String> words, ClusterSnapshot snapshot) {
    ForecastTarget target = new ForecastTarget(snapshot);
    return switch (words.getFirst()) {
      case "taint" -> new ForecastAction.AddTaint(target.named(words.get(1)), taint(words.get(2)));
      case "cordon" -> new ForecastAction.Cordon(target.named(words.get(1)));
      case "drain" -> new ForecastAction.Drain(target.named(words.get(1)));
      default ->
          new ForecastAction.Lose(
              switch (words.get(1)) {
                case "zone" -> target.inZone(words.get(2));
                case "percent" -> target.share(percent(words.get(2)));
                default -> target.named(words.get(2));
              });
    };
  }

  private List<String> named(String names) {
    List<String> wanted = Stream.of(names.split(",", -1)).distinct().toList();
    for (String name : wanted) {
      if (nodes.stream().noneMatch(node -> node.name().equals(name))) {
        throw new UsageException("There is no node \"%s\".%s".formatted(name, suggestion(name)));
      }
    }
    return wanted;
  }

  /** A node that may have been meant, or some of those that there are. */
  private String suggestion(String name) {
    List<String> all = nodes.stream().map(NodeView::name).toList();
    String near = Suggestion.of(name, all);
    return near.isEmpty()
        ? " There are %d, such as %s."
            .formatted(all.size(), String.join(", ", all.stream().limit(SHOWN).toList()))
        : near;
  }

  private List<String> inZone(String zone) {
    List<String> found =
        nodes.stream()
            .filter(node -> node.zone().toString().equals(zone) || node.zone().name().equals(zone))
            .map(NodeView::name)
            .toList();
    if (found.isEmpty()) {
      throw new UsageException(
          "No node is in zone \"%s\"; there are %s."
              .formatted(
                  zone,
                  nodes.stream()
                      .map(node -> node.zone().toString())
                      .distinct()
                      .sorted()
                      .collect(Collectors.joining(", "))));
    }
    return found;
  }

  /** Nodes spread evenly over all, by their names. */
  private List<String> share(int percent) {
    int count = Math.max(1, Math.ceilDiv(nodes.size() * percent, 100));
    return IntStream.range(0, Math.min(count, nodes.size()))
        .mapToObj(i -> nodes.get((int) ((long) i * nodes.size() / count)).name())
        .toList();
  }

  private static int percent(String text) {
    if (!text.matches("[1-9][0-9]?|100")) {
      throw new UsageException(
          "The percentage must be a number from 1 to 100, not \"%s\".".formatted(text));
    }
    return Integer.parseInt(text);
  }

  private static Taint taint(String text) {
    int colon = text.lastIndexOf(':');
    String keyAndValue = colon < 0 ? "" : text.substring(0, colon);
    String effect = colon < 0 ? "" : text.substring(colon + 1);
    int equals = keyAndValue.indexOf('=');
    String key = equals < 0 ? keyAndValue : keyAndValue.substring(0, equals);
    return EFFECTS.stream()
        .filter(each -> each.text().equals(effect) && !key.isEmpty())
        .findFirst()
        .map(each -> Taint.of(key, equals < 0 ? "" : keyAndValue.substring(equals + 1), each))
        .orElseThrow(() ->
            new UsageException(
                "A taint is written KEY[=VALUE]:EFFECT with one of the effects %s, not \"%s\"."
                    .formatted(
                        EFFECTS.stream().map(TaintEffect::text).collect(Collectors.joining(", ")),
                        text)));
  }
}
