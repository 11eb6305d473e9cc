package dev.berth.scheduler.profile;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which plugins take part where: {@code profiles[*].plugins} over the defaults. Upstream's rules:
 *
 * <ul>
 *   <li>{@code multiPoint} enables a plugin wherever it can take part. What a file enables there
 *       comes after the defaults, or takes the place of the default of that name with the weight
 *       given there. {@code disabled} takes defaults out; {@code *} all of them.
 *   <li>At one point, {@code disabled} takes out what {@code multiPoint} would enable there; {@code
 *       enabled} adds to it, and what {@code multiPoint} enables too goes to the front.
 *   <li>A weight that is not given, or is 0, is 1.
 * </ul>
 */
final class PluginSets {
  private static final String MULTI_POINT = "multiPoint";
  private static final String ALL = "*";
  private static final long MAX_WEIGHT = Integer.MAX_VALUE / 100;

  /** What a file says of one point: plugins with their weights, and who is not to take part. */
  private record Choice(SequencedMap<String, Integer> enabled, Set<String> disabled) {
    boolean disables(String name) {
      return disabled.contains(ALL) || disabled.contains(name);
    }
  }

  private PluginSets() {}

  /** The plugins of each point in their order, with their weights. */
  static Map<ExtensionPoint, SequencedMap<String, Integer>> read(ConfigFields plugins) {
    Set<String> fields = new HashSet<>();
    fields.add(MULTI_POINT);
    for (ExtensionPoint point : ExtensionPoint.values()) {
      fields.add(point.field());
    }
    plugins.onlyHas(fields);
    SequencedMap<String, Integer> everywhere =
        overDefaults(choice(plugins.object(MULTI_POINT), null));
    Map<ExtensionPoint, SequencedMap<String, Integer>> points = new EnumMap<>(ExtensionPoint.class);
    for (ExtensionPoint point : ExtensionPoint.values()) {
      points.put(point, at(point, choice(plugins.object(point.field()), point), everywhere));
    }
    return points;
  }

  private static SequencedMap<String, Integer> overDefaults(Choice choice) {
    SequencedMap<String, Integer> all = new LinkedHashMap<>();
    for (PluginDefinition plugin : PluginRegistry.all()) {
      if (!choice.disables(plugin.name())) {
        all.put(plugin.name(), choice.enabled().getOrDefault(plugin.name(), plugin.weight()));
      }
    }
    choice.enabled().forEach(all::putIfAbsent);
    return all;
  }

  private static SequencedMap<String, Integer> at(
      ExtensionPoint point, Choice choice, SequencedMap<String, Integer> everywhere) {
    SequencedMap<String, Integer> taking = new LinkedHashMap<>();
    choice
        .enabled()
        .forEach((name, weight) -> {
          if (everywhere.containsKey(name)) {
            taking.put(name, weight);
          }
        });
    everywhere.forEach((name, weight) -> {
      boolean can = PluginRegistry.find(name).filter(p -> p.points().contains(point)).isPresent();
      if (can && !choice.disables(name)) {
        taking.putIfAbsent(name, weight);
      }
    });
    choice.enabled().forEach(taking::putIfAbsent);
    taking.replaceAll((_, weight) -> Math.max(1, weight));
    return taking;
  }

  private static Choice choice(ConfigFields set, @Nullable ExtensionPoint point) {
    set.onlyHas(Set.of("enabled", "disabled"));
    SequencedMap<String, Integer> enabled = new LinkedHashMap<>();
    for (ConfigFields plugin : set.objects("enabled")) {
      plugin.onlyHas(Set.of("name", "weight"));
      String name = plugin.text("name", "");
      int weight = weight(plugin);
      if (checkUsable(plugin, name, point)) {
        if (enabled.putIfAbsent(name, weight) != null) {
          plugin.error(FieldError.duplicate(plugin.path("name"), name));
        }
      }
    }
    Set<String> disabled = new HashSet<>();
    for (ConfigFields plugin : set.objects("disabled")) {
      plugin.onlyHas(Set.of("name", "weight"));
      String name = plugin.text("name", "");
      if (!name.equals(ALL)) {
        checkUsable(plugin, name, null);
      }
      disabled.add(name);
    }
    return new Choice(enabled, disabled);
  }

  private static int weight(ConfigFields plugin) {
    long weight = plugin.integer("weight", 0);
    if (weight < 0) {
      plugin.invalid("weight", weight, "must not be negative");
    } else if (weight > MAX_WEIGHT) {
      plugin.invalid("weight", weight, "must not be greater than " + MAX_WEIGHT);
    } else {
      return (int) weight;
    }
    return 0;
  }

  /** Notes what is wrong with a plugin's name. Returns whether nothing is. */
  private static boolean checkUsable(
      ConfigFields plugin, String name, @Nullable ExtensionPoint point) {
    if (name.isEmpty()) {
      plugin.error(FieldError.required(plugin.path("name"), "a plugin is named"));
      return false;
    }
    Optional<PluginDefinition> known = PluginRegistry.find(name);
    if (known.isEmpty()) {
      plugin.error(FieldError.notSupported(plugin.path("name"), name, PluginRegistry.names()));
      return false;
    }
    if (point != null && !known.get().points().contains(point)) {
      plugin.invalid("name", name, "does not extend " + point.field());
      return false;
    }
    return true;
  }
}
