package dev.berth.scheduler.profile;

import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.Plugin;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import dev.berth.scheduler.plugin.node.NodeConditionsCheck;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of a configuration, with their plugins made. Pods of a scheduler name that is not
 * here belong to another scheduler.
 */
public final class Profiles {
  private final Map<String, Profile> profiles = new LinkedHashMap<>();
  private final Set<String> preempting = new HashSet<>();

  private Profiles() {}

  /** Makes the plugins of each profile; one that both filters and scores is made once. */
  public static Profiles make(SchedulerConfiguration configuration) {
    Profiles made = new Profiles();
    for (ProfileSettings settings : configuration.profiles()) {
      Profile profile = make(settings, configuration.gates());
      made.profiles.put(profile.schedulerName(), profile);
      if (settings.preempts()) {
        made.preempting.add(profile.schedulerName());
      }
    }
    return made;
  }

  private static Profile make(ProfileSettings settings, FeatureGates gates) {
    TolerationRules tolerations = gates.tolerations();
    Map<String, Plugin> plugins = new HashMap<>();
    Set<String> names = new HashSet<>(settings.filters());
    names.addAll(settings.scores().keySet());
    for (String name : names) {
      PluginDefinition.Factory factory =
          PluginRegistry.find(name).map(PluginDefinition::factory).orElse(null);
      if (factory == null) {
        throw new IllegalStateException(name + " is neither a filter nor a score");
      }
      plugins.put(name, factory.make(settings.args(name), tolerations));
    }
    List<FilterPlugin> filters = new ArrayList<>();
    if (!gates.isOn(FeatureGate.TAINT_NODES_BY_CONDITION)) {
      filters.add(new NodeConditionsCheck(tolerations));
    }
    for (String name : settings.filters()) {
      if (plugins.get(name) instanceof FilterPlugin filter) {
        filters.add(filter);
      }
    }
    List<Profile.WeightedScore> scores = new ArrayList<>();
    settings
        .scores()
        .forEach((name, weight) -> {
          if (plugins.get(name) instanceof ScorePlugin score) {
            scores.add(new Profile.WeightedScore(score, weight));
          }
        });
    return new Profile(settings.schedulerName(), filters, scores);
  }

  /** The profile of a scheduler name; null if its pods belong to another scheduler. */
  public @Nullable Profile find(String schedulerName) {
    return profiles.get(schedulerName);
  }

  /** Whether pods of a scheduler name may preempt others. */
  public boolean preempts(String schedulerName) {
    return preempting.contains(schedulerName);
  }

  public Set<String> schedulerNames() {
    return Collections.unmodifiableSet(profiles.keySet());
  }
}
