package dev.berth.agent.proxy;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which clients have been at which endpoints lately, which the kernel alone knows: what it has of
 * the last table is put into the next one, so that clients of services with affinity stay with
 * their endpoints when an agent is started again. A client that comes between the two is forgotten.
 */
final class KnownClients {
  private static final int ELEMENTS_IN_A_COMMAND = 500;

  private KnownClients() {}

  /**
   * The commands that put them into a table.
   *
   * @param listed the sets that the table had, as nft lists them in JSON
   * @param sets those that it will have
   */
  static String commands(String table, JsonObject listed, Set<String> sets) {
    Map<String, List<String>> bySet = new TreeMap<>();
    for (JsonObject each : listed.array("nftables").objects()) {
      JsonObject set = each.object("set");
      if (sets.contains(set.text("name", ""))) {
        bySet.put(set.text("name", ""), elements(set));
      }
    }
    StringBuilder commands = new StringBuilder();
    bySet.forEach((set, elements) -> {
      for (int i = 0; i < elements.size(); i += ELEMENTS_IN_A_COMMAND) {
        List<String> some =
            elements.subList(i, Math.min(elements.size(), i + ELEMENTS_IN_A_COMMAND));
        commands.append(
            "add element %s %s { %s }\n".formatted(table, set, String.join(", ", some)));
      }
    });
    return commands.toString();
  }

  /** Those that stay for a second or more: 0s would mean forever. */
  private static List<String> elements(JsonObject set) {
    List<String> elements = new ArrayList<>();
    for (JsonObject each : set.array("elem").objects()) {
      JsonObject element = each.object("elem");
      long seconds = element.integer("expires").orElse(0);
      if (seconds > 0) {
        elements.add("%s expires %ds".formatted(element.text("val", ""), seconds));
      }
    }
    return elements;
  }
}
