package dev.berth.cli.hollow;

import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.core.Zone;
import dev.berth.model.meta.Metadata;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds the nodes that a command is for: one by its name, those of a zone, those that labels
 * select, or all hollow ones. A node that is not hollow is refused before anything is done.
 */
final class HollowTargets {
  private HollowTargets() {}

  /** All hollow nodes. */
  static List<JsonObject> all(List<JsonObject> nodes) {
    List<JsonObject> found = nodes.stream().filter(HollowTargets::isHollow).toList();
    if (found.isEmpty()) {
      throw new UsageException("There are no hollow nodes in this cluster.");
    }
    return found;
  }

  static List<JsonObject> selected(List<JsonObject> nodes, LabelSelector selector, String text) {
    return hollow(
        matching(nodes, node -> selector.matches(Metadata.of(node).labels())),
        "No node has labels that \"" + text + "\" selects.");
  }

  /** The node of this name, or the nodes of the zone of this name. */
  static List<JsonObject> named(List<JsonObject> nodes, String target) {
    List<JsonObject> node = matching(nodes, n -> Metadata.of(n).name().equals(target));
    if (!node.isEmpty()) {
      return hollow(node, "");
    }
    TreeSet<String> zones = new TreeSet<>();
    nodes.forEach(n -> zones.add(Zone.ofLabels(Metadata.of(n).labels()).name()));
    zones.remove("");
    List<String> names = nodes.stream().map(n -> Metadata.of(n).name()).toList();
    return hollow(
        matching(nodes, n -> Zone.ofLabels(Metadata.of(n).labels()).name().equals(target)),
        "There is no node %s, nor a zone of that name; %s.%s"
            .formatted(
                target,
                zones.isEmpty() ? "no node is in a zone" : "the zones are " + zones,
                Suggestion.of(target, names.size() < 1000 ? names : List.copyOf(zones))));
  }

  private static List<JsonObject> matching(List<JsonObject> nodes, Predicate<JsonObject> which) {
    return nodes.stream().filter(which).toList();
  }

  private static List<JsonObject> hollow(List<JsonObject> nodes, String whenNone) {
    if (nodes.isEmpty()) {
      throw new UsageException(whenNone);
    }
    List<String> others =
        nodes.stream().filter(n -> !isHollow(n)).map(n -> Metadata.of(n).name()).toList();
    if (!others.isEmpty()) {
      throw new UsageException(
          "%s %s, and cannot be changed: the label %s=true is missing. Nothing was done."
              .formatted(
                  others.size() == 1
                      ? "Node " + others.getFirst()
                      : others.size() + " nodes, such as " + others.getFirst() + ",",
                  others.size() == 1 ? "is not hollow" : "are not hollow",
                  HollowAnnotations.MANAGED));
    }
    return nodes;
  }

  private static boolean isHollow(JsonObject node) {
    return Metadata.of(node).label(HollowAnnotations.MANAGED).filter("true"::equals).isPresent();
  }
}
