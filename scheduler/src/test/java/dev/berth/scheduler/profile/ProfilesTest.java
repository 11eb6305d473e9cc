package dev.berth.scheduler.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.decision.Profile;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.node.NodeName;
import dev.berth.scheduler.plugin.resources.NodeResourcesFit;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Profiles with their plugins made. */
class ProfilesTest {
  private static final Map<String, PluginFactory> FACTORIES =
      Map.of(
          KnownPlugins.NODE_NAME, _ -> new NodeName(),
          KnownPlugins.TAINT_TOLERATION, _ -> new TaintToleration(TolerationRules.STANDARD),
          KnownPlugins.NODE_RESOURCES_FIT, NodeResourcesFit::new);

  private final Set<String> missing = new TreeSet<>();
  private final Profiles profiles =
      Profiles.make(ConfigurationReader.defaults(), FACTORIES, missing);

  @Test
  void hasThePluginsInTheirOrderWithTheirWeights() {
    Profile profile = Objects.requireNonNull(profiles.find("default-scheduler"));
    assertThat(profile.filters())
        .extracting(filter -> filter.name())
        .containsExactly("NodeName", "TaintToleration", "NodeResourcesFit");
    assertThat(profile.scores()).extracting(Profile.WeightedScore::weight).containsExactly(3L, 1L);
    assertThat(profile.scores().getFirst().plugin())
        .as("made once")
        .isSameAs(profile.filters().get(1));
  }

  @Test
  void podsOfOtherSchedulersAreNotOurs() {
    assertThat(profiles.find("other")).isNull();
    assertThat(profiles.preempts("other")).isFalse();
    assertThat(profiles.preempts("default-scheduler")).isTrue();
  }

  @Test
  void knowsWhatPluginsWaitForAndWhichFiltersThereAre() {
    assertThat(profiles.wakes().get("NodeResourcesFit")).contains(ClusterEventKind.POD_GONE);
    assertThat(profiles.filters().get("default-scheduler"))
        .containsExactlyInAnyOrder("NodeName", "TaintToleration", "NodeResourcesFit");
  }

  @Test
  void saysWhichPluginsNobodyCanMake() {
    assertThat(missing).contains("NodePorts", "ImageLocality").doesNotContain("NodeName");
  }
}
