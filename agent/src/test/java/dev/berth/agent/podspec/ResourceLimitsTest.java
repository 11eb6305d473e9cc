package dev.berth.agent.podspec;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.Placement;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.swap.SwapRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cgroups may use, on a node of 4 Gi. */
final class ResourceLimitsTest {
  private static final JsonObject NODE = tree("{'status':{'capacity':{'memory':'4Gi'}}}");
  private static final SpecSettings SETTINGS =
      new SpecSettings(Path.of("/r"), "cluster.local", List.of(), "", OptionalLong.empty());

  private static Limits container(String resources) {
    JsonObject container = tree("{'name':'c','resources':" + resources + "}");
    JsonObject pod = JsonObject.of("spec", JsonObject.of("containers", JsonArray.of(container)));
    return new ResourceLimits(pod, NODE, SETTINGS, Placement.OfPod.ANYWHERE).of(container);
  }

  @ParameterizedTest(name = "{0}: weight {1}, quota {2}")
  @CsvSource({
    "{},                                              2,    ",
    "{'requests':{'cpu':'500m'}},                     512,  ",
    "'{''limits'':{''cpu'':''2''}}',                  2048, 200000",
    "'{''requests'':{''cpu'':''1''},''limits'':{''cpu'':''2''}}', 1024, 200000",
    "'{''limits'':{''cpu'':''1m''}}',                 2,    1000",
  })
  void processors(String resources, long shares, Long quota) {
    Limits limits = container(resources);
    assertThat(limits.cpuShares()).isEqualTo(shares);
    assertThat(limits.cpuQuota().map(CpuQuota::micros)).isEqualTo(Optional.ofNullable(quota));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "{},                                                            1000",
    "'{''requests'':{''memory'':''1Gi''}}',                         750",
    "'{''requests'':{''memory'':''1Ki''}}',                         999",
    "'{''requests'':{''memory'':''4Gi''}}',                         3",
    "'{''requests'':{''cpu'':''1'',''memory'':''1Gi''},''limits'':{''cpu'':''1'',''memory'':''1Gi''}}',"
        + " -997",
  })
  void whoIsKilledFirst(String resources, int score) {
    assertThat(container(resources).oomScore()).isEqualTo(score);
  }

  @ParameterizedTest(name = "period {0}: {1}")
  @CsvSource({"PT0.01S, 5000", "PT0.001S, 1000", ","})
  void processorTimeIsOfThePeriodThatTheNodeSets(Duration period, Long quota) {
    SpecSettings settings =
        new SpecSettings(
            SETTINGS.root(),
            SETTINGS.cluster(),
            "",
            OptionalLong.empty(),
            Optional.ofNullable(period),
            SwapRules.NO_SWAP,
            true,
            false,
            true);
    JsonObject container = tree("{'name':'c','resources':{'limits':{'cpu':'500m'}}}");
    JsonObject pod = JsonObject.of("spec", JsonObject.of("containers", JsonArray.of(container)));
    assertThat(
            new ResourceLimits(pod, NODE, settings, Placement.OfPod.ANYWHERE)
                .of(container)
                .cpuQuota())
        .isEqualTo(
            Optional.ofNullable(period).map(each -> new CpuQuota(quota, each.toNanos() / 1000)));
  }

  @Test
  void aPodIsLimitedInWhatAllOfItsContainersAre() {
    JsonObject pod =
        tree(
            "{'spec':{'overhead':{'memory':'10Mi'},'containers':["
                + "{'name':'a','resources':{'limits':{'cpu':'1','memory':'100Mi'}}},"
                + "{'name':'b','resources':{'limits':{'memory':'100Mi'}}}]}}");
    Limits limits = new ResourceLimits(pod, NODE, SETTINGS, Placement.OfPod.ANYWHERE).ofPod();
    assertThat(limits.cpuQuota()).isEmpty();
    assertThat(limits.memoryBytes()).hasValue(210L << 20);
  }

  @Test
  void hugePagesAreThoseOfTheContainerOrElseOfThePod() {
    JsonObject pod =
        tree(
            "{'spec':{'resources':{'limits':{'hugepages-2Mi':'20Mi','hugepages-1Gi':'2Gi'}},'containers':["
                + "{'name':'a','resources':{'limits':{'hugepages-2Mi':'6Mi','example.com/x':'1'}}},{'name':'b'}]}}");
    ResourceLimits limits = new ResourceLimits(pod, NODE, SETTINGS, Placement.OfPod.ANYWHERE);
    List<JsonObject> containers = pod.object("spec").array("containers").objects();
    assertThat(limits.of(containers.getFirst()).hugePages())
        .isEqualTo(Map.of("1GB", 2L << 30, "2MB", 6L << 20));
    assertThat(limits.of(containers.getLast()).hugePages())
        .isEqualTo(Map.of("1GB", 2L << 30, "2MB", 20L << 20));
    assertThat(limits.ofPod().hugePages()).isEqualTo(Map.of("1GB", 2L << 30, "2MB", 20L << 20));
    assertThat(container("{'limits':{'hugepages-64Ki':'1Mi'}}").hugePages())
        .isEqualTo(Map.of("64KB", 1L << 20));
    assertThat(container("{}").hugePages()).isEmpty();
  }

  @Test
  void aContainerIsKilledAsAWholeUnlessThatIsTurnedOff() {
    assertThat(container("{}").isKilledAsAWhole()).isTrue();
    JsonObject pod = tree("{'spec':{'containers':[{'name':'c'}]}}");
    assertThat(
            new ResourceLimits(pod, NODE, SETTINGS, Placement.OfPod.ANYWHERE)
                .ofPod()
                .isKilledAsAWhole())
        .as("a pod is more than one container")
        .isFalse();
  }

  @Test
  void whoHasProcessorsForItselfMayUseAllOfTheirTime() {
    JsonObject container =
        tree(
            "{'name':'c','resources':{'limits':{'cpu':'2','memory':'1Gi'},'requests':{'cpu':'2','memory':'1Gi'}}}");
    JsonObject pod = JsonObject.of("spec", JsonObject.of("containers", JsonArray.of(container)));
    Placement own = new Placement("2-3", "1", true);
    ResourceLimits limits =
        new ResourceLimits(
            pod,
            NODE,
            SETTINGS,
            new Placement.OfPod(Map.of("c", own), new Placement("0-1", "", false)));
    assertThat(limits.of(container).cpuQuota()).isEmpty();
    assertThat(limits.of(container).cpus()).isEqualTo("2-3");
    assertThat(limits.of(container).mems()).isEqualTo("1");
    assertThat(limits.ofPod().cpuQuota()).isEmpty();
    JsonObject other = container.with("name", "debugger");
    assertThat(limits.of(other).cpus()).isEqualTo("0-1");
    assertThat(limits.of(other).cpuQuota().map(CpuQuota::micros)).hasValue(200_000L);
  }
}
