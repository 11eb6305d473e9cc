package dev.berth.scheduler.plugin.config;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.tree.JsonObject;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What a plugin takes as {@code args} in {@code pluginConfig}.
 *
 * @param fields their names
 * @param check finds what is wrong with given arguments
 * @param defaults fills in what is not given
 */
public record PluginArguments(
    Set<String> fields, Consumer<ConfigFields> check, UnaryOperator<JsonObject> defaults) {

  public PluginArguments {
    fields = Set.copyOf(fields);
  }

  /** Sets a field that is not given. */
  public static JsonObject withDefault(JsonObject args, String field, Object value) {
    return args.has(field) ? args : args.with(field, value);
  }
}
