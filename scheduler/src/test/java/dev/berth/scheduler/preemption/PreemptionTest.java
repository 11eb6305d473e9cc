package dev.berth.scheduler.preemption;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.Fixtures;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.preemption.PreemptionDecision.NoHelp;
import dev.berth.scheduler.preemption.PreemptionDecision.NotEligible;
import dev.berth.scheduler.preemption.PreemptionDecision.Preempt;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who makes way for whom, row by row, whether room is counted or everything is tried out. */
class PreemptionTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Cluster cluster = new Cluster();
  private final Budgets budgets = new Budgets();
  private final Preemption preemption = new Preemption(cluster, budgets);

  static Stream<Arguments> profiles() {
    return Stream.of(
        Arguments.of("counted", TestPlugins.usual()), Arguments.of("tried", TestPlugins.tried()));
  }

  private void node(String name, String cpu) {
    cluster.put(Fixtures.node(name).allocatable("cpu", cpu, "memory", "32Gi", "pods", "10").tree());
  }

  private static PodFixture low(String name, String cpu, long priority) {
    return pod(name)
        .requesting("cpu", cpu)
        .with("spec.priority", priority)
        .with("status.startTime", START.toString());
  }

  private static PodFixture withPort(PodFixture fixture) {
    return fixture.with(
        "spec.containers[0].ports",
        JsonArray.of(JsonObject.of("containerPort", 80L).with("hostPort", 80L)));
  }

  private PodInfo on(String node, PodFixture fixture) {
    PodInfo info = cluster.read(fixture.on(node).tree());
    cluster.add(info, node);
    return info;
  }

  private PodInfo high(String cpu) {
    return cluster.read(low("high", cpu, 100).tree());
  }

  private void budget(String label, long allowed) {
    budgets.put(
        JsonObject.of("metadata", object("namespace", "default", "name", label))
            .with(
                "spec",
                JsonObject.of("selector", JsonObject.of("matchLabels", object("budget", label))))
            .with("status", JsonObject.of("disruptionsAllowed", allowed)));
  }

  private static List<String> names(List<PodInfo> pods) {
    return pods.stream().map(pod -> pod.view().name()).toList();
  }

  private void assertPreempts(PreemptionDecision decision, String node, String... victims) {
    assertThat(decision).isInstanceOf(Preempt.class);
    Preempt preempt = (Preempt) decision;
    assertThat(preempt.node()).isEqualTo(node);
    assertThat(names(preempt.victims())).containsExactly(victims);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void onlyAsManyGoAsNeeded(String how, Profile profile) {
    node("n1", "4");
    on("n1", low("a", "1", 0));
    on("n1", low("b", "2", 0));
    on("n1", low("c", "1", 5));
    assertPreempts(preemption.decide(high("2"), profile), "n1", "b");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void theMoreImportantStay(String how, Profile profile) {
    node("n1", "3");
    on("n1", low("young", "1", 5).with("status.startTime", START.plusSeconds(9).toString()));
    on("n1", low("old", "1", 5));
    on("n1", low("least", "1", 1));
    assertPreempts(preemption.decide(high("2"), profile), "n1", "young", "least");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void thoseUnderABudgetStayIfOthersCanGo(String how, Profile profile) {
    node("n1", "2");
    on("n1", low("kept", "1", 0).labelled("budget", "b"));
    on("n1", low("other", "1", 50));
    budget("b", 0);
    PreemptionDecision decision = preemption.decide(high("1"), profile);
    assertPreempts(decision, "n1", "other");
    assertThat(((Preempt) decision).budgetViolations()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void aBudgetDoesNotKeepAPodFromBeingPreemptedIfThereIsNoOther(String how, Profile profile) {
    node("n1", "2");
    on("n1", low("kept", "2", 0).labelled("budget", "b"));
    budget("b", 0);
    PreemptionDecision decision = preemption.decide(high("1"), profile);
    assertPreempts(decision, "n1", "kept");
    assertThat(((Preempt) decision).budgetViolations()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void takesTheNodeWithTheFewestViolations(String how, Profile profile) {
    node("n1", "1");
    node("n2", "1");
    on("n1", low("kept", "1", 0).labelled("budget", "b"));
    on("n2", low("free", "1", 90));
    budget("b", 0);
    assertPreempts(preemption.decide(high("1"), profile), "n2", "free");
    budget("b", 1);
    assertPreempts(preemption.decide(high("1"), profile), "n1", "kept");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void thenTheLowestHighestPriority(String how, Profile profile) {
    node("n1", "2");
    node("n2", "2");
    on("n1", low("one", "2", 10));
    on("n2", low("two", "1", 9));
    on("n2", low("three", "1", 9));
    assertPreempts(preemption.decide(high("2"), profile), "n2", "three", "two");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void thenTheSmallestSumEvenOfNegativePriorities(String how, Profile profile) {
    node("n1", "2");
    node("n2", "2");
    on("n1", low("a", "1", -10));
    on("n1", low("b", "1", -10));
    on("n2", low("c", "2", -10));
    assertPreempts(preemption.decide(high("2"), profile), "n2", "c");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void thenTheLatestStartThenTheFirst(String how, Profile profile) {
    node("n1", "1");
    node("n2", "1");
    node("n3", "1");
    on("n1", low("old", "1", 0));
    on("n2", low("young", "1", 0).with("status.startTime", START.plusSeconds(1).toString()));
    on("n3", low("alike", "1", 0).with("status.startTime", START.plusSeconds(1).toString()));
    assertPreempts(preemption.decide(high("1"), profile), "n2", "young");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void whoeverCannotBeHelpedPreemptsNobody(String how, Profile profile) {
    node("n1", "2");
    node("n2", "2");
    node("n3", "1");
    on("n1", low("peer", "2", 100));
    on("n2", low("peer2", "1", 100));
    on("n2", low("small", "1", 0));
    on("n3", low("tiny", "1", 0));
    assertThat(preemption.decide(high("2"), profile))
        .isEqualTo(
            new NoHelp(
                3,
                new TreeMap<>(
                    Map.of(
                        "No preemption victims found for incoming pod", 1,
                        "Insufficient cpu", 1,
                        "Preemption is not helpful for scheduling", 1))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void aTaintedNodeIsNotCleared(String how, Profile profile) {
    cluster.put(
        Fixtures.node("n1").allocatable("cpu", "1", "pods", "10").tainted("k=v:NoSchedule").tree());
    on("n1", low("a", "1", 0));
    assertThat(preemption.decide(high("1"), profile).message())
        .isEqualTo(
            "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void policyNeverPreemptsNobody(String how, Profile profile) {
    node("n1", "1");
    on("n1", low("a", "1", 0));
    PodInfo never =
        cluster.read(low("high", "1", 100).with("spec.preemptionPolicy", "Never").tree());
    assertThat(preemption.decide(never, profile))
        .isEqualTo(new NotEligible("not eligible due to preemptionPolicy=Never."));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void waitsWhileItsVictimsLeave(String how, Profile profile) {
    node("n1", "1");
    node("n2", "1");
    on("n2", low("other", "1", 0));
    JsonObject condition =
        object("type", "DisruptionTarget", "status", "True", "reason", "PreemptionByScheduler");
    PodInfo leaving =
        on(
            "n1",
            low("leaving", "1", 0)
                .terminatingSince(START)
                .with("status.conditions", JsonArray.of(condition)));
    PodInfo high =
        cluster.read(low("high", "1", 100).with("status.nominatedNodeName", "n1").tree());
    cluster.nominations().put(high, "n1");
    assertThat(preemption.decide(high, profile))
        .isEqualTo(new NotEligible("not eligible due to a terminating pod on the nominated node."));

    cluster.remove(leaving, "n1");
    on("n1", low("late", "1", 0).with("status.startTime", START.plusSeconds(1).toString()));
    assertPreempts(preemption.decide(high, profile), "n1", "late");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void promisedPodsOfEqualPriorityCountAsThere(String how, Profile profile) {
    node("n1", "2");
    node("n2", "1");
    on("n1", low("a", "1", 0));
    on("n1", low("b", "1", 1));
    on("n2", low("c", "1", 50));
    PodInfo first = high("1");
    assertPreempts(preemption.decide(first, profile), "n1", "a");
    cluster.nominations().put(first, "n1");

    PodInfo second = cluster.read(low("second", "1", 100).tree());
    assertPreempts(preemption.decide(second, profile), "n1", "b", "a");
    cluster.nominations().remove(first);
    assertPreempts(preemption.decide(second, profile), "n1", "a");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void promisesToLowerPrioritiesAreTakenBack(String how, Profile profile) {
    node("n1", "1");
    on("n1", low("a", "1", 0));
    PodInfo middle = cluster.read(low("middle", "1", 50).tree());
    cluster.nominations().put(middle, "n1");
    PreemptionDecision decision = preemption.decide(high("1"), profile);
    assertPreempts(decision, "n1", "a");
    assertThat(names(((Preempt) decision).nominations())).containsExactly("middle");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void whoeverHoldsItsPortMakesWay(String how, Profile profile) {
    node("n1", "4");
    on("n1", withPort(low("near", "1", 0)));
    on("n1", low("other", "1", 0));
    PodInfo high = cluster.read(withPort(low("high", "1", 100)).tree());
    assertPreempts(preemption.decide(high, profile), "n1", "near");
    assertThat(names(cluster.pods(0))).containsExactlyInAnyOrder("near", "other");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("profiles")
  void nodesThatDependOnEachOtherAreAllLookedAtAgain(String how, Profile profile) {
    node("n1", "4");
    node("n2", "4");
    on("n1", low("a", "1", 5).labelled("zoned", "1"));
    PodInfo b = on("n2", low("b", "1", 9).labelled("zoned", "1"));
    on("n2", low("c", "1", 100).labelled("zoned", "1"));
    PodInfo high = cluster.read(low("high", "1", 100).labelled("zoned", "1").tree());
    assertPreempts(preemption.decide(high, profile), "n1", "a");
    cluster.remove(b, "n2");
    on("n1", low("d", "1", 100).labelled("zoned", "1"));
    assertPreempts(preemption.decide(high, profile), "n1", "a");
  }

  @Test
  void whatIsTriedIsToldToNobody() {
    node("n1", "1");
    on("n1", low("a", "1", 0));
    long before = cluster.changes().position();
    preemption.decide(high("1"), TestPlugins.tried());
    assertThat(cluster.changes().position()).isEqualTo(before);
  }

  @Test
  void saysWhatIsToBeDone() {
    node("n1", "2");
    PodInfo gone = on("n1", low("gone", "1", 0).terminatingSince(START));
    PodInfo there = on("n1", low("there", "1", 0));
    PodInfo high = high("2");
    PodInfo middle = cluster.read(low("middle", "1", 50).tree());
    Preempt preempt = new Preempt("n1", List.of(gone, there), 0, List.of(middle));
    List<PreemptionAction> actions = PreemptionAction.of(preempt, high);
    assertThat(actions)
        .hasSize(3)
        .startsWith(
            new PreemptionAction.Nominate(high, "n1"),
            new PreemptionAction.ClearNomination(middle));
    PreemptionAction.Evict evict = (PreemptionAction.Evict) actions.get(2);
    assertThat(evict.victim()).isEqualTo(there);
    assertThat(evict.condition().toString())
        .isEqualTo(
            "{\"type\":\"DisruptionTarget\",\"status\":\"True\","
                + "\"reason\":\"PreemptionByScheduler\",\"message\":"
                + "\"default-scheduler: preempting to accommodate a higher priority pod\"}");
    assertThat(evict.event().note()).isEqualTo("Preempted by pod high-uid on node n1");
  }

  @Test
  void whoeverIsNotHelpedIsPromisedNothingAnyMore() {
    PodInfo high =
        cluster.read(low("high", "1", 100).with("status.nominatedNodeName", "n1").tree());
    NoHelp noHelp = new NoHelp(0, new TreeMap<>());
    assertThat(PreemptionAction.of(noHelp, high))
        .containsExactly(new PreemptionAction.ClearNomination(high));
    assertThat(PreemptionAction.of(new NotEligible("x"), high)).isEmpty();
  }
}
