package dev.berth.scheduler.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Profiles with their plugins made. */
class ProfilesTest {
  private final Profiles profiles = Profiles.make(ConfigurationReader.defaults());
  private final Profile profile = Objects.requireNonNull(profiles.find("default-scheduler"));

  @Test
  void hasThePluginsInUpstreamsOrderWithItsWeights() {
    assertThat(profile.filters())
        .extracting(FilterPlugin::name)
        .containsExactly(
            "NodeUnschedulable",
            "NodeName",
            "TaintToleration",
            "NodeAffinity",
            "NodePorts",
            "NodeResourcesFit",
            "VolumeRestrictions",
            "NodeVolumeLimits",
            "VolumeBinding",
            "VolumeZone",
            "PodTopologySpread",
            "InterPodAffinity",
            "DynamicResources",
            "NodeDeclaredFeatures");
    assertThat(profile.scores())
        .extracting(score -> score.plugin().name() + " " + score.weight())
        .containsExactly(
            "TaintToleration 3",
            "NodeAffinity 2",
            "NodeResourcesFit 1",
            "PodTopologySpread 2",
            "InterPodAffinity 2",
            "DynamicResources 2",
            "NodeResourcesBalancedAllocation 1",
            "ImageLocality 1");
    assertThat(profile.scores().getFirst().plugin())
        .as("made once")
        .isSameAs(profile.filters().get(2));
  }

  @Test
  void podsOfOtherSchedulersAreNotOurs() {
    assertThat(profiles.find("other")).isNull();
    assertThat(profiles.preempts("other")).isFalse();
    assertThat(profiles.preempts("default-scheduler")).isTrue();
  }

  /** A plugin that files can enable where it does nothing would mislead their authors. */
  @Test
  void pluginsAreWhatTheyAreRegisteredAs() {
    for (PluginDefinition definition : PluginRegistry.all()) {
      String name = definition.name();
      assertThat(profile.filters().stream().anyMatch(filter -> filter.name().equals(name)))
          .as("%s is a filter", name)
          .isEqualTo(definition.points().contains(ExtensionPoint.FILTER));
      assertThat(profile.scores().stream().map(Profile.WeightedScore::plugin))
          .as("%s is a score", name)
          .filteredOn(ScorePlugin::name, name)
          .allMatch(_ -> definition.points().contains(ExtensionPoint.SCORE));
    }
  }
}
