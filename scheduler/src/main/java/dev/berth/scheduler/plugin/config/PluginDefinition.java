package dev.berth.scheduler.plugin.config;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.plugin.Plugin;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a plugin is configured and made.
 *
 * @param name upstream's
 * @param points where configuration files may enable and disable it
 * @param weight of its scores by default; 0 if it has none
 * @param arguments null if it takes none
 * @param factory null for what files call a plugin but is part of the scheduler itself
 */
public record PluginDefinition(
    String name,
    Set<ExtensionPoint> points,
    int weight,
    @Nullable PluginArguments arguments,
    @Nullable Factory factory) {

  /** Makes a plugin for one profile. */
  @FunctionalInterface
  public interface Factory {
    /**
     * Makes it.
     *
     * @param args what the profile's {@code pluginConfig} says, checked, with defaults filled in
     * @param tolerations how tolerations are compared to taints
     */
    Plugin make(JsonObject args, TolerationRules tolerations);
  }

  public PluginDefinition {
    points = Set.copyOf(points);
  }

  public static PluginDefinition of(String name, ExtensionPoint first, ExtensionPoint... others) {
    return new PluginDefinition(name, EnumSet.of(first, others), 0, null, null);
  }

  public PluginDefinition weight(int defaultWeight) {
    return new PluginDefinition(name, points, defaultWeight, arguments, factory);
  }

  public PluginDefinition arguments(PluginArguments taken) {
    return new PluginDefinition(name, points, weight, taken, factory);
  }

  public PluginDefinition factory(Factory made) {
    return new PluginDefinition(name, points, weight, arguments, made);
  }
}
