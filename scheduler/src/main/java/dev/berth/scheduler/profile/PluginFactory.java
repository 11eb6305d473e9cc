package dev.berth.scheduler.profile;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.Plugin;

/** Makes a plugin. */
@FunctionalInterface
public interface PluginFactory {
  /**
   * Makes it for one profile.
   *
   * @param args what the profile's {@code pluginConfig} says, checked, with upstream's defaults
   *     filled in
   */
  Plugin make(JsonObject args);
}
