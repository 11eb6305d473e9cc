package dev.berth.scheduler.profile;

import dev.berth.scheduler.decision.Profile;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.Plugin;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of a configuration, with their plugins made. Pods of a scheduler name that is not
 * here are somebody else's.
 */
public final class Profiles {
  private final Map<String, Profile> profiles = new LinkedHashMap<>();
  private final Map<String, ProfileSettings> settings = new HashMap<>();
  private final Map<String, Set<ClusterEventKind>> wakes = new HashMap<>();

  private Profiles() {}

  /**
   * Makes the plugins of each profile; one that both filters and scores is made once.
   *
   * @param factories by the plugin's name. One that is not here does not take part: it is given to
   *     {@code missing}
   * @param missing gets the names of enabled plugins that nobody can make
   */
  public static Profiles make(
      SchedulerConfiguration configuration,
      Map<String, PluginFactory> factories,
      Set<String> missing) {
    Profiles made = new Profiles();
    configuration.profiles().forEach(profile -> made.add(profile, factories, missing));
    return made;
  }

  private void add(
      ProfileSettings profile, Map<String, PluginFactory> factories, Set<String> missing) {
    Map<String, Plugin> plugins = new HashMap<>();
    Set<String> names = new HashSet<>(profile.filters());
    names.addAll(profile.scores().keySet());
    for (String name : names) {
      PluginFactory factory = factories.get(name);
      if (factory == null) {
        missing.add(name);
      } else {
        Plugin plugin = factory.make(profile.args(name));
        plugins.put(name, plugin);
        wakes
            .computeIfAbsent(name, _ -> EnumSet.noneOf(ClusterEventKind.class))
            .addAll(plugin.wakes());
      }
    }
    List<FilterPlugin> filters = new ArrayList<>();
    for (String name : profile.filters()) {
      if (plugins.get(name) instanceof FilterPlugin filter) {
        filters.add(filter);
      }
    }
    List<Profile.WeightedScore> scores = new ArrayList<>();
    profile
        .scores()
        .forEach((name, weight) -> {
          if (plugins.get(name) instanceof ScorePlugin score) {
            scores.add(new Profile.WeightedScore(score, weight));
          }
        });
    profiles.put(profile.schedulerName(), new Profile(profile.schedulerName(), filters, scores));
    settings.put(profile.schedulerName(), profile);
  }

  /** The profile of a scheduler name; null if its pods are not ours. */
  public @Nullable Profile find(String schedulerName) {
    return profiles.get(schedulerName);
  }

  /** Whether pods of a scheduler name may displace others. */
  public boolean preempts(String schedulerName) {
    ProfileSettings profile = settings.get(schedulerName);
    return profile != null && profile.preempts();
  }

  public Set<String> schedulerNames() {
    return Collections.unmodifiableSet(profiles.keySet());
  }

  /** What each plugin waits for, by its name. */
  public Map<String, Set<ClusterEventKind>> wakes() {
    return Collections.unmodifiableMap(wakes);
  }

  /** The names of the filters of each scheduler name. */
  public Map<String, Set<String>> filters() {
    Map<String, Set<String>> names = new HashMap<>();
    profiles.forEach((scheduler, profile) -> {
      Set<String> filters = new HashSet<>();
      profile.filters().forEach(filter -> filters.add(filter.name()));
      names.put(scheduler, filters);
    });
    return names;
  }
}
