package dev.berth.scheduler.profile;

import dev.berth.model.tree.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What a configuration says of one scheduler name, put together with the defaults.
 *
 * @param filters the names of the plugins that may forbid a node, in the order they are asked
 * @param scores the weights of those that like some nodes better, by name
 * @param preempts whether pods of higher priority may displace others
 * @param args the arguments of the plugins that take any, by name, with defaults
 */
public record ProfileSettings(
    String schedulerName,
    List<String> filters,
    SequencedMap<String, Integer> scores,
    boolean preempts,
    Map<String, JsonObject> args) {

  public ProfileSettings {
    filters = List.copyOf(filters);
    scores = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(scores));
    args = Map.copyOf(args);
  }

  /** The arguments of a plugin; empty if it takes none. */
  public JsonObject args(String plugin) {
    return args.getOrDefault(plugin, JsonObject.EMPTY);
  }
}
