package dev.berth.policy.daemon;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.DaemonSetView;
import dev.berth.model.core.PodPhase;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DaemonPlanTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final String ONE = "'rollingUpdate':{'maxUnavailable':1}";
  private static final String TWO = "'rollingUpdate':{'maxUnavailable':2}";
  private static final String SURGE = "'rollingUpdate':{'maxUnavailable':0,'maxSurge':2}";

  private static DaemonSetView set(String strategy) {
    return DaemonSetView.read(
        tree(
            "{'metadata':{'name':'agent','namespace':'default','generation':7},"
                + "'spec':{'updateStrategy':{"
                + strategy
                + "}}}"));
  }

  /** A pod of the revision 2, or of an older one; bound, running, and ready or not. */
  private static DaemonPod pod(String node, String word) {
    Instant ready = word.contains("unready") ? Instant.MAX : Instant.EPOCH;
    String revision = word.startsWith("old") ? "1" : "2";
    return new DaemonPod(
        node + "-" + word,
        node + word,
        node,
        true,
        revision,
        PodPhase.RUNNING,
        "",
        false,
        NOW,
        ready);
  }

  /** Nodes and their pods: {@code a:new b:old,new c}. */
  private static Map<String, DaemonSnapshot.Node> nodes(String text) {
    Map<String, DaemonSnapshot.Node> nodes = new LinkedHashMap<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(" ")) {
      String name = part.replaceFirst(":.*", "");
      List<DaemonPod> pods =
          part.contains(":")
              ? Stream.of(part.replaceFirst(".*:", "").split(",")).map(w -> pod(name, w)).toList()
              : List.of();
      nodes.put(
          name,
          new DaemonSnapshot.Node(
              Optional.of(node(name).ready().view()), pods, FailureBackoff.NONE));
    }
    return nodes;
  }

  private static DaemonPlan decide(
      String strategy, String changed, DaemonCounts others, String outdated) {
    Map<String, DaemonNode.Outdated> replaceable = new LinkedHashMap<>();
    for (String node : outdated.isEmpty() ? new String[0] : outdated.split(" ")) {
      String name = node.replace("!", "");
      replaceable.put(name, new DaemonNode.Outdated(pod(name, "old"), !node.endsWith("!")));
    }
    return DaemonPlan.decide(
        new DaemonSnapshot(
            set(strategy),
            Set.of("2"),
            0,
            TolerationRules.STANDARD,
            nodes(changed),
            others,
            replaceable),
        NOW);
  }

  private static DaemonCounts others(int desired, int unavailable, int surging) {
    int available = desired - unavailable;
    return new DaemonCounts(desired, desired, 0, available, available, 0, unavailable, surging, 0);
  }

  private static DaemonCounts spare(DaemonCounts counts, int spare) {
    return counts.plus(new DaemonCounts(0, 0, spare, 0, 0, 0, 0, 0, spare));
  }

  static Stream<Arguments> plans() {
    DaemonCounts none = DaemonCounts.NONE;
    return Stream.of(
        argumentSet("all is well", ONE, "a:new b:new", none, "", ""),
        argumentSet("nodes without a pod get one", ONE, "a b:new c", none, "", "create a, c"),
        argumentSet("one outdated pod at a time", ONE, "a:old b:old", none, "", "delete a-old"),
        argumentSet(
            "what waits longer goes first", ONE, "c:old", others(2, 0, 0), "a b", "delete a-old"),
        argumentSet(
            "unavailable nodes leave less room",
            TWO,
            "a b:old c:old",
            none,
            "",
            "create a, delete b-old"),
        argumentSet("others that are unavailable, too", TWO, "", others(9, 2, 0), "a b", ""),
        argumentSet(
            "an old pod that is not available makes no difference and goes at once",
            ONE,
            "a:old-unready b:old",
            none,
            "",
            "delete a-old-unready"),
        argumentSet("surging", SURGE, "a:old b:old c:old", none, "", "create a, b"),
        argumentSet(
            "what is about to surge takes room",
            SURGE,
            "a:old-unready b:old c:old",
            none,
            "",
            "create a, b"),
        argumentSet(
            "one after which none comes takes its turn",
            ONE,
            "",
            others(2, 0, 0),
            "a! b",
            "delete a-old"),
        argumentSet(
            "surging, one after which none comes stays while it is needed",
            SURGE,
            "",
            spare(others(2, 1, 0), 1),
            "a!",
            ""),
        argumentSet(
            "surging, it goes when there are enough without it",
            SURGE,
            "",
            spare(others(2, 0, 0), 1),
            "a!",
            "delete a-old"),
        argumentSet(
            "a node that has changed is judged as it is now",
            ONE,
            "a:new",
            others(1, 0, 0),
            "a b",
            "delete b-old"));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void whatIsToBeDone(
      String strategy, String changed, DaemonCounts others, String outdated, String expected) {
    assertThat(text(decide(strategy, changed, others, outdated))).isEqualTo(expected);
  }

  private static String text(DaemonPlan plan) {
    if (plan.actions().isEmpty()) {
      return "";
    }
    return switch (plan.actions().getFirst()) {
      case DaemonAction.ManagePods(List<String> create, List<DaemonNode.Removal> remove) -> {
        List<String> names = remove.stream().map(removal -> removal.pod().name()).toList();
        yield Stream.of(text("create", create), text("delete", names))
            .filter(part -> !part.isEmpty())
            .reduce((a, b) -> a + ", " + b)
            .orElse("");
      }
    };
  }

  private static String text(String verb, List<String> names) {
    return names.isEmpty() ? "" : verb + " " + String.join(", ", names);
  }

  @Test
  void withoutARevisionNothingIsDone() {
    DaemonSnapshot snapshot =
        new DaemonSnapshot(
            set(ONE),
            Set.of(),
            0,
            TolerationRules.STANDARD,
            nodes("a b"),
            DaemonCounts.NONE,
            Map.of());
    assertThat(DaemonPlan.decide(snapshot, NOW))
        .isEqualTo(new DaemonPlan(List.of(), snapshot.set().tree(), Map.of()));
  }

  @Test
  void theStatusCountsTheNodesThatChangedAndTheOthers() {
    JsonObject status =
        decide(ONE, "a:new b c:old", others(10, 1, 0), "").withStatus().object("status");
    assertThat(status)
        .isEqualTo(
            tree(
                """
                {"currentNumberScheduled": 12, "numberMisscheduled": 0,
                 "desiredNumberScheduled": 13, "numberReady": 11, "observedGeneration": 7,
                 "updatedNumberScheduled": 1, "numberAvailable": 11, "numberUnavailable": 2}
                """));
  }

  @Test
  void aThousandComeAtOnceAndTheOthersAreNotSettled() {
    StringBuilder many = new StringBuilder("n0");
    for (int i = 1; i < 1_500; i++) {
      many.append(" n").append(i);
    }
    DaemonPlan plan = decide(ONE, many.toString(), DaemonCounts.NONE, "");
    assertThat(plan.actions())
        .singleElement()
        .isInstanceOfSatisfying(
            DaemonAction.ManagePods.class, manage -> assertThat(manage.create()).hasSize(1_000));
    assertThat(plan.verdicts()).hasSize(1_500);
    assertThat(plan.verdicts().values()).noneMatch(DaemonNode.Verdict::isSettled);
  }

  @Test
  void whatIsToldOfAPodThatHasEnded() {
    DaemonPod pod = pod("n1", "new");
    assertThat(new DaemonNode.Removal(pod, DaemonNode.Reason.FAILED).note("default"))
        .hasValueSatisfying(note -> {
          assertThat(note.isWarning()).isTrue();
          assertThat(note.reason()).isEqualTo("FailedDaemonPod");
          assertThat(note.message())
              .isEqualTo("Found failed daemon pod default/n1-new on node n1, will try to kill it");
        });
    assertThat(new DaemonNode.Removal(pod, DaemonNode.Reason.OUTDATED).note("default")).isEmpty();
  }
}
