package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Changes of a scenario by paths, for who compares two: {@code settings.node-eviction-rate=1},
 * {@code cluster.workloads.web.replicas=10}. In a list, a word is the name of one of its objects,
 * or its place.
 */
final class ScenarioChanges {
  private ScenarioChanges() {}

  static JsonObject apply(JsonObject scenario, Map<String, String> changes) {
    JsonObject changed = scenario;
    for (Map.Entry<String, String> change : new TreeMap<>(changes).entrySet()) {
      List<String> path = List.of(change.getKey().split("\\.", -1));
      if (path.contains("")) {
        throw new ConfigException(
            "\"%s\" must be a path such as settings.node-eviction-rate, with a word before and after each dot"
                .formatted(change.getKey()));
      }
      changed = (JsonObject) set(changed, path, value(change.getValue()), change.getKey());
    }
    return changed;
  }

  private static Object value(String text) {
    try {
      return YamlReader.value(
          text.getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST, twice -> {});
    } catch (YamlException | JsonException e) {
      return text;
    }
  }

  private static Object set(Object at, List<String> path, Object value, String whole) {
    if (path.isEmpty()) {
      return value;
    }
    String step = path.getFirst();
    List<String> rest = path.subList(1, path.size());
    return switch (at) {
      case JsonObject object -> {
        Object inner = object.get(step);
        yield object.with(step, set(inner == null ? JsonObject.EMPTY : inner, rest, value, whole));
      }
      case JsonArray array -> {
        int index = index(array, step);
        if (index < 0) {
          throw new ConfigException(
              "%s: there is nothing named \"%s\" in that list".formatted(whole, step));
        }
        yield array.with(index, set(array.get(index), rest, value, whole));
      }
      default ->
          throw new ConfigException("%s: there is no \"%s\" below %s".formatted(whole, step, at));
    };
  }

  private static int index(JsonArray array, String step) {
    for (int i = 0; i < array.size(); i++) {
      if (array.get(i) instanceof JsonObject object && step.equals(object.get("name"))) {
        return i;
      }
    }
    boolean isPlace = step.matches("[0-9]{1,6}") && Integer.parseInt(step) < array.size();
    return isPlace ? Integer.parseInt(step) : -1;
  }
}
