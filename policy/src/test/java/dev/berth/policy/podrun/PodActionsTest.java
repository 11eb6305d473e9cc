package dev.berth.policy.podrun;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodRules;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a node does next for a pod, by what its containers did: {@code a:0} ended with 0, {@code a}
 * runs, {@code a=i} runs and was started with the image {@code i}.
 */
final class PodActionsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private static JsonObject pod(String restartPolicy, String inits) {
    return tree(
        "{'spec':{'restartPolicy':'%s','initContainers':[%s],'containers':[{'name':'c'},{'name':'d'}]}}"
            .formatted(restartPolicy, inits));
  }

  private static List<ObservedContainer> observed(String text) {
    List<ObservedContainer> observed = new ArrayList<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      String[] image = each.split("=", -1);
      String[] parts = image[0].split(":", -1);
      observed.add(
          new ObservedContainer(
              parts[0],
              "x://" + parts[0],
              0,
              "i",
              image.length == 1 ? "" : image[1],
              "i",
              NOW,
              true,
              parts.length == 1
                  ? null
                  : ContainerState.Ended.of(Integer.parseInt(parts[1]), NOW, NOW)));
    }
    return observed;
  }

  private static String plan(JsonObject pod, String seen, Map<String, Probed> probed) {
    return plan(pod, seen, probed, Set.of());
  }

  private static String plan(
      JsonObject pod, String seen, Map<String, Probed> probed, Set<String> replaced) {
    PodPlan plan =
        PodActions.decide(
            new PodSnapshot(PodRules.read(pod), true, observed(seen), probed, replaced));
    if (plan.isOver()) {
      return "over";
    }
    List<String> words = new ArrayList<>(plan.starts());
    plan.kills().forEach(kill -> words.add("-" + kill.container().name()));
    return String.join(" ", words);
  }

  @ParameterizedTest(name = "{0}, seen [{1}]: {2}")
  @CsvSource({
    "Always,    '',            c d",
    "Always,    c,             d",
    "Always,    c d,           ''",
    "Always,    c:0 d,         c",
    "Always,    c:0 d:1,       c d",
    "OnFailure, c:0 d,         ''",
    "OnFailure, c:0 d:1,       d",
    "OnFailure, c:0 d:0,       over",
    "Never,     c:1 d,         ''",
    "Never,     c:1 d:0,       over",
    "Never,     c:1,           d",
  })
  void containers(String restartPolicy, String seen, String expected) {
    assertThat(plan(pod(restartPolicy, ""), seen, Map.of())).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}, seen [{1}]: {2}")
  @CsvSource({
    "Always, '',                one",
    "Always, one,               ''",
    "Always, one:0,             two",
    "Always, one:1,             one",
    "Never,  one:1,             over",
    "Always, one:0 two,         ''",
    "Always, one:0 two:0,       c d",
    // What was done long ago may have been removed.
    "Always, two:0,             c d",
    "Always, c,                 d",
    "Always, one:0 two:0 c:1 d, c",
  })
  void initContainers(String restartPolicy, String seen, String expected) {
    assertThat(plan(pod(restartPolicy, "{'name':'one'},{'name':'two'}"), seen, Map.of()))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "seen [{0}]: {1}")
  @CsvSource({
    "'',               side",
    "side,             init",
    "side init,        ''",
    "side:1 init,      side",
    "side init:0,      c d",
    "side init:0 c d,  ''",
    "side:0 init:0 c d, side",
    // It does not keep its pod from being over.
    "side init:0 c:0 d:0, over",
  })
  void sidecars(String seen, String expected) {
    assertThat(
            plan(
                pod("Never", "{'name':'side','restartPolicy':'Always'},{'name':'init'}"),
                seen,
                Map.of()))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}, seen [{1}]: {2}")
  @CsvSource({
    "Never,     side,           c d",
    "Never,     side c:0 d:0,   over",
    // Whoever ended it may have been killed before anybody was told.
    "Never,     side:9 c:0 d:0, over",
    "OnFailure, side:9 c:0 d:0, over",
    "OnFailure, side:9 c:0 d:1, side",
    "Always,    side:9 c:0 d:0, side",
  })
  void aSidecarThatIsTheLastToInitialize(String restartPolicy, String seen, String expected) {
    assertThat(plan(pod(restartPolicy, "{'name':'side','restartPolicy':'Always'}"), seen, Map.of()))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "startup {0}, liveness {1}: {2}")
  @CsvSource({
    "UNKNOWN, UNKNOWN, ''",
    "FAILURE, UNKNOWN, -side",
    "SUCCESS, UNKNOWN, c d",
    "SUCCESS, SUCCESS, c d",
    "SUCCESS, FAILURE, c d -side",
  })
  void probesOfSidecars(ProbeResult startup, ProbeResult liveness, String expected) {
    String sidecar =
        "{'name':'side','restartPolicy':'Always','startupProbe':{'exec':{}},'livenessProbe':{'exec':{}}}";
    Probed probed = new Probed(startup, liveness, ProbeResult.UNKNOWN);
    assertThat(plan(pod("Always", sidecar), "side", Map.of("x://side", probed)))
        .isEqualTo(expected);
  }

  private static final String IMAGES =
      "'initContainers':[{'name':'side','image':'i','restartPolicy':'Always'}],'containers':[{'name':'c','image':'i'},{'name':'d','image':'i'}]";

  @ParameterizedTest(name = "seen [{0}]: {1}")
  @CsvSource({
    "side=i c=i d=i,   ''",
    "side=i c=old d=i, -c",
    "side=old c=i d=i, -side",
    // Nobody knows what it was started with.
    "side c d,         ''",
    // Whatever another image would do, it is not what has ended.
    "side=i c:0=old d=i, ''",
  })
  void whatHasAnotherImageByNowIsReplaced(String seen, String expected) {
    JsonObject pod = tree("{'spec':{'restartPolicy':'Never',%s}}".formatted(IMAGES));
    assertThat(plan(pod, seen, Map.of())).isEqualTo(expected);
  }

  @Test
  void theEventOfAReplacementSaysWhy() {
    JsonObject pod = tree("{'spec':{'restartPolicy':'Never',%s}}".formatted(IMAGES));
    List<String> messages =
        PodActions.decide(
                new PodSnapshot(
                    PodRules.read(pod), true, observed("side=o c=o d=i"), Map.of(), Set.of()))
            .kills()
            .stream()
            .map(PodPlan.Kill::message)
            .toList();
    assertThat(messages)
        .containsExactly(
            "Init container side definition changed",
            "Container c definition changed, will be restarted");
  }

  @ParameterizedTest(name = "{0}, seen [{1}]: {2}")
  @CsvSource({
    "Never,     c:0 d:0,             c",
    "OnFailure, c:0 d,               c",
    "Never,     c d:0,               ''",
    "Never,     one:0 two:0 c:0 d:0, c",
    // It ran, so its init containers are done although nothing is left of them.
    "Never,     c:0 d,               c",
  })
  void whatItsNodeEndedToStartItAgainIsStarted(String restartPolicy, String seen, String expected) {
    String inits = seen.startsWith("one") ? "{'name':'one'},{'name':'two'}" : "{'name':'gone'}";
    assertThat(plan(pod(restartPolicy, inits), seen, Map.of(), Set.of("x://c")))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}, liveness failed: is replaced {1}")
  @CsvSource({"Always, true", "OnFailure, true", "Never, false"})
  void aProbeThatFailsHasItsContainerStartedAgainUnlessItsPolicyIsNever(
      String restartPolicy, boolean expected) {
    Probed failed = new Probed(ProbeResult.SUCCESS, ProbeResult.FAILURE, ProbeResult.UNKNOWN);
    PodPlan plan =
        PodActions.decide(
            new PodSnapshot(
                PodRules.read(pod(restartPolicy, "")),
                true,
                observed("c d"),
                Map.of("x://c", failed),
                Set.of()));
    assertThat(plan.kills())
        .singleElement()
        .satisfies(kill -> assertThat(kill.isReplaced()).isEqualTo(expected));
  }

  @ParameterizedTest(name = "{0}, seen [{1}] without a sandbox: {2}")
  @CsvSource({
    "Always,    '',       true",
    "Always,    c:1 d:1,  true",
    "OnFailure, c:0 d:0,  false",
    "OnFailure, c:0 d:1,  true",
    "Never,     '',       true",
    "Never,     c:1,      false",
  })
  void whatIsSharedIsMadeAnewOnlyForWhatRunsAgain(
      String restartPolicy, String seen, boolean expected) {
    PodPlan plan =
        PodActions.decide(
            new PodSnapshot(
                PodRules.read(pod(restartPolicy, "")), false, observed(seen), Map.of(), Set.of()));
    assertThat(plan.createsSandbox()).isEqualTo(expected);
    assertThat(plan.isOver()).isEqualTo(!expected);
  }
}
