package dev.berth.policy.podrun;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodRules;
import dev.berth.model.core.ReportedStatus;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.PodReport.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node says of a pod: {@code c:1} ended with 1, {@code c} runs. */
final class PodReportTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private static JsonObject report(JsonObject pod, String seen, Stage stage, JsonObject old) {
    return report(pod, seen, stage, old, Set.of());
  }

  private static JsonObject report(
      JsonObject pod, String seen, Stage stage, JsonObject old, Set<String> replaced) {
    List<ObservedContainer> observed = new ArrayList<>();
    for (String each : seen.isEmpty() ? new String[0] : seen.split(" ", -1)) {
      String[] parts = each.split(":", -1);
      observed.add(
          new ObservedContainer(
              parts[0],
              "x://" + parts[0],
              0,
              "i",
              "",
              "i",
              NOW,
              true,
              parts.length == 1
                  ? null
                  : ContainerState.Ended.of(Integer.parseInt(parts[1]), NOW, NOW)));
    }
    return PodReport.of(
        new PodReport.Inputs(
            new PodSnapshot(PodRules.read(pod), true, observed, Map.of(), replaced),
            ReportedStatus.read(old, NOW),
            stage,
            Map.of(),
            Optional.empty(),
            List.of(),
            new PodReport.Addresses(List.of("10.1.1.1"), List.of()),
            NOW,
            Map.of(),
            _ -> JsonObject.EMPTY,
            NOW));
  }

  private static JsonObject pod(String restartPolicy, String inits) {
    return tree(
        "{'spec':{'restartPolicy':'%s','initContainers':[%s],'containers':[{'name':'c'},{'name':'d'}]}}"
            .formatted(restartPolicy, inits));
  }

  @ParameterizedTest(name = "{0}, seen [{1}], {2}: {3}")
  @CsvSource({
    "Always,    '',      RUNS,   Pending",
    "Always,    c,       RUNS,   Pending",
    "Always,    c d,     RUNS,   Running",
    "Always,    c:1 d:0, RUNS,   Running",
    "Always,    c:1 d:0, ENDED,  Failed",
    "Always,    c:0 d:0, ENDED,  Succeeded",
    "OnFailure, c:0 d:1, RUNS,   Running",
    "OnFailure, c:0 d:0, ENDED,  Succeeded",
    "Never,     c:0 d,   RUNS,   Running",
    "Never,     c:0 d:1, ENDED,  Failed",
    "Never,     c:0 d:0, ENDED,  Succeeded",
    // Nothing is known of d, and it will never run.
    "Never,     c:0,     ENDED,  Failed",
    "Always,    '',      ENDED,  Failed",
  })
  void phases(String restartPolicy, String seen, Stage stage, String expected) {
    assertThat(report(pod(restartPolicy, ""), seen, stage, JsonObject.EMPTY).text("phase"))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}, seen [{1}], {2}: {3}")
  @CsvSource({
    "Always, one,           RUNS,  Pending",
    "Always, one:1,         RUNS,  Pending",
    "Never,  one:1,         ENDED, Failed",
    "Always, one:0 c d,     RUNS,  Running",
    "Never,  one:0 c:0 d:0, ENDED, Succeeded",
  })
  void phasesWithAnInitContainer(String restartPolicy, String seen, Stage stage, String expected) {
    assertThat(
            report(pod(restartPolicy, "{'name':'one'}"), seen, stage, JsonObject.EMPTY)
                .text("phase"))
        .isEqualTo(expected);
  }

  /** The scheduler gives the place of a pod that has ended to the next one at once. */
  @ParameterizedTest(name = "{0}, seen [{1}], {2}")
  @CsvSource({
    "Never,     c:0 d:0, RUNS",
    "Never,     c:0 d:1, RUNS",
    "OnFailure, c:0 d:0, ENDING",
    "Always,    c:0 d:0, ENDING",
    "Always,    c:1 d:0, ENDING",
  })
  void aPodHasNotEndedBeforeItsSandboxHas(String restartPolicy, String seen, Stage stage) {
    JsonObject before = tree("{'phase':'Running'}");
    JsonObject status = report(pod(restartPolicy, ""), seen, stage, before);
    assertThat(status.text("phase")).isEqualTo("Running");
    assertThat(status.array("containerStatuses").objects())
        .allSatisfy(c -> assertThat(c.object("state").has("terminated")).isTrue());
    assertThat(report(pod(restartPolicy, ""), seen, Stage.ENDED, status).text("phase"))
        .isEqualTo(seen.contains(":1") ? "Failed" : "Succeeded");
  }

  @ParameterizedTest(name = "each of {0} containers may say {1} bytes")
  @CsvSource({"1, 5000", "3, 4096", "6, 2048"})
  void theMessagesOfAllContainersShareTwelveKibibytes(int containers, int most) {
    String ended = "'terminated':{'exitCode':1,'message':'" + "m".repeat(5000) + "'}";
    List<String> specs = new ArrayList<>();
    List<String> statuses = new ArrayList<>();
    for (int i = 0; i < containers; i++) {
      specs.add("{'name':'c%d'}".formatted(i));
      statuses.add("{'name':'c%d','state':{%s},'lastState':{%s}}".formatted(i, ended, ended));
    }
    JsonObject status =
        report(
            tree("{'spec':{'restartPolicy':'Never','containers':%s}}".formatted(specs)),
            "",
            Stage.RUNS,
            tree("{'phase':'Running','containerStatuses':%s}".formatted(statuses)));
    assertThat(status.array("containerStatuses").objects())
        .hasSize(containers)
        .allSatisfy(container -> {
          assertThat(message(container.object("state"))).hasSize(most);
          assertThat(message(container.object("lastState"))).hasSize(most);
        });
  }

  private static String message(JsonObject state) {
    return state.object("terminated").text("message", "");
  }

  @Test
  void messagesAreCutBetweenCharacters() {
    ContainerState.Ended ended = new ContainerState.Ended(1, "Error", "aüü", null, null, "");
    assertThat(ended.withMessageUpTo(4).message()).isEqualTo("aü");
    assertThat(ended.withMessageUpTo(5).message()).isEqualTo("aüü");
  }

  @Test
  void aContainerThatIsStartedAgainHasNotEnded() {
    JsonObject status =
        report(pod("Never", ""), "c:0 d:0", Stage.RUNS, JsonObject.EMPTY, Set.of("x://c"));
    JsonObject c = status.array("containerStatuses").objects().getFirst();
    assertThat(c.object("state").object("waiting").text("reason")).isEqualTo("ContainerCreating");
    assertThat(c.object("lastState").object("terminated").integer("exitCode")).hasValue(0);
    assertThat(status.text("phase")).isEqualTo("Running");
  }

  @Test
  void aPodNeverComesBackFromItsEnd() {
    assertThat(
            report(pod("Always", ""), "c d", Stage.ENDING, tree("{'phase':'Succeeded'}"))
                .text("phase"))
        .isEqualTo("Succeeded");
  }

  @Test
  void aContainerThatIsGoneEndedNobodyKnowsHow() {
    JsonObject old =
        tree(
            "{'phase':'Running','containerStatuses':[{'name':'c','restartCount':2,'state':{'running':{'startedAt':'2029-01-01T00:00:00Z'}}}]}");
    JsonObject c =
        report(pod("Always", ""), "d", Stage.RUNS, old)
            .array("containerStatuses")
            .objects()
            .getFirst();
    assertThat(c.object("lastState").object("terminated"))
        .isEqualTo(
            tree(
                "{'exitCode':137,'reason':'ContainerStatusUnknown','message':'The container could not be located when the pod was deleted.  The container used to be Running'}"));
    assertThat(c.integer("restartCount")).hasValue(3);
  }

  @Test
  void aConditionKeepsItsTimeUntilItChanges() {
    JsonObject old =
        tree(
            "{'conditions':[{'type':'Ready','status':'True','lastTransitionTime':'2029-01-01T00:00:00Z'},{'type':'Initialized','status':'False','lastTransitionTime':'2029-01-01T00:00:00Z'}]}");
    var conditions = report(pod("Always", ""), "c d", Stage.RUNS, old).array("conditions");
    assertThat(Conditions.find(conditions, "Ready").orElseThrow().text("lastTransitionTime"))
        .isEqualTo("2029-01-01T00:00:00Z");
    assertThat(Conditions.find(conditions, "Initialized").orElseThrow().text("lastTransitionTime"))
        .isEqualTo("2030-01-01T00:00:00Z");
  }

  @Test
  void unreadyContainersAreNamed() {
    var conditions =
        report(pod("Always", ""), "c d:1", Stage.RUNS, JsonObject.EMPTY).array("conditions");
    JsonObject ready = Conditions.find(conditions, "Ready").orElseThrow();
    assertThat(ready.text("reason")).isEqualTo("ContainersNotReady");
    assertThat(ready.text("message")).isEqualTo("containers with unready status: [d]");
  }
}
