package dev.berth.scheduler.profile;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code profiles[*].pluginConfig}: the arguments of plugins, checked, with defaults. */
final class PluginConfig {
  private PluginConfig() {}

  /** The arguments by plugin; every plugin that takes any is there. */
  static Map<String, JsonObject> read(ConfigFields profile) {
    Map<String, JsonObject> args = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (ConfigFields config : profile.objects("pluginConfig")) {
      config.onlyHas(Set.of("name", "args"));
      String name = config.text("name", "");
      Optional<PluginDefinition> plugin = PluginRegistry.find(name);
      if (!seen.add(name)) {
        config.error(FieldError.duplicate(config.path("name"), name));
      } else if (plugin.isEmpty()) {
        config.error(FieldError.notSupported(config.path("name"), name, PluginRegistry.names()));
      } else if (plugin.get().arguments() == null) {
        config.error(FieldError.forbidden(config.path("args"), name + " takes no arguments"));
      } else {
        args.put(name, read(name, plugin.get().arguments(), config.object("args")));
      }
    }
    for (PluginDefinition plugin : PluginRegistry.all()) {
      if (plugin.arguments() != null) {
        JsonObject defaults = plugin.arguments().defaults().apply(JsonObject.EMPTY);
        args.putIfAbsent(plugin.name(), defaults);
      }
    }
    return args;
  }

  private static JsonObject read(String plugin, PluginArguments arguments, ConfigFields args) {
    Set<String> known = new HashSet<>(arguments.fields());
    known.add("apiVersion");
    known.add("kind");
    args.onlyHas(known);
    String kind = args.text("kind", plugin + "Args");
    if (!kind.equals(plugin + "Args")) {
      args.error(FieldError.notSupported(args.path("kind"), kind, List.of(plugin + "Args")));
    }
    String version = args.text("apiVersion", ConfigurationReader.API_VERSION);
    if (!version.equals(ConfigurationReader.API_VERSION)) {
      args.error(
          FieldError.notSupported(
              args.path("apiVersion"), version, List.of(ConfigurationReader.API_VERSION)));
    }
    arguments.check().accept(args);
    return arguments.defaults().apply(args.tree().without("apiVersion").without("kind"));
  }
}
