package dev.berth.policy.node;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.policy.taint.TaintChange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeHealthTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** The node's clock is a year ahead, everywhere. */
  private static final Instant NODE_CLOCK = START.plus(Duration.ofDays(365));

  private static final NodeAction UNREACHABLE_NO_SCHEDULE =
      new NodeAction.ChangeTaints(
          new TaintChange(List.of(taint("node.kubernetes.io/unreachable:NoSchedule")), List.of()));
  private static final NodeAction UNREACHABLE_NO_EXECUTE =
      new NodeAction.AwaitEvictionRate(taint("node.kubernetes.io/unreachable:NoExecute"));

  private NodeFixture node = node("n1").createdAt(START).ready(ConditionStatus.TRUE, NODE_CLOCK);
  private @Nullable String lease = NODE_CLOCK.toString();
  private @Nullable NodeObservation last;

  @BeforeEach
  void observeAtTheStart() {
    check(0);
  }

  /** Checks at so many seconds after the start, and takes what was observed on. */
  private List<NodeAction> check(long seconds) {
    NodeHealth health = health(HealthSettings.DEFAULT, seconds);
    last = health.observation();
    return health.actions();
  }

  private NodeHealth health(HealthSettings settings, long seconds) {
    return health(settings, false, seconds);
  }

  private NodeHealth health(HealthSettings settings, boolean allDown, long seconds) {
    Instant now = START.plusSeconds(seconds);
    NodeObservation seen =
        last == null
            ? NodeObservation.first(node.view(), lease, settings, now, now)
            : last.posted(node.view(), now);
    if (lease != null) {
      seen = seen.renewed(lease, now);
    }
    return NodeHealth.check(node.view(), seen, settings, allDown, now, now);
  }

  /** Checks, writes that the node is lost if that is the outcome, and checks again. */
  private List<NodeAction> checkAndFollow(long seconds) {
    applyMarkUnknown(check(seconds));
    return check(seconds);
  }

  private void applyMarkUnknown(List<NodeAction> actions) {
    for (NodeAction action : actions) {
      if (action instanceof NodeAction.MarkUnknown(List<Condition> conditions)) {
        conditions.forEach(c -> node = node.condition(c));
      }
    }
  }

  private static Condition unknown(String type, @Nullable Instant heartbeat, long since) {
    return new Condition(
        type,
        ConditionStatus.UNKNOWN,
        "NodeStatusUnknown",
        "Kubelet stopped posting node status.",
        heartbeat,
        START.plusSeconds(since));
  }

  private static Condition neverUpdated(String type, long since) {
    return new Condition(
        type,
        ConditionStatus.UNKNOWN,
        "NodeStatusNeverUpdated",
        "Kubelet never posted node status.",
        START,
        START.plusSeconds(since));
  }

  @Test
  void aNodeThatIsHeardOfIsHealthy() {
    for (long second = 10; second < 600; second += 10) {
      lease = NODE_CLOCK.plusSeconds(second).toString();
      assertThat(check(second)).as("at %d s", second).isEmpty();
    }
  }

  @Test
  void fortySecondsOfSilenceMakeItUnknown() {
    assertThat(check(35)).isEmpty();
    assertThat(check(39)).isEmpty();
    List<NodeAction> actions = check(40);
    assertThat(actions)
        .containsExactly(
            new NodeAction.MarkUnknown(
                List.of(
                    unknown(Condition.READY, NODE_CLOCK, 40),
                    neverUpdated(Condition.MEMORY_PRESSURE, 40),
                    neverUpdated(Condition.DISK_PRESSURE, 40),
                    neverUpdated(Condition.PID_PRESSURE, 40))));
    applyMarkUnknown(actions);
    assertThat(check(40))
        .as("once that is written")
        .containsExactly(
            new NodeAction.MarkPodsNotReady(), UNREACHABLE_NO_SCHEDULE, UNREACHABLE_NO_EXECUTE);
  }

  @Test
  void theGracePeriodIsAFlag() {
    HealthSettings patient =
        new HealthSettings(
            Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofMinutes(5), true, true);
    assertThat(health(patient, 299).actions()).isEmpty();
    assertThat(health(patient, 300).actions()).isNotEmpty();
  }

  @Test
  void pressureBecomesUnknownButTheNetworksConditionIsNotTheNodesToReport() {
    node =
        node.condition(Condition.MEMORY_PRESSURE, ConditionStatus.FALSE)
            .condition(Condition.DISK_PRESSURE, ConditionStatus.TRUE)
            .condition(Condition.PID_PRESSURE, ConditionStatus.UNKNOWN)
            .condition(Condition.NETWORK_UNAVAILABLE, ConditionStatus.FALSE);
    assertThat(check(40))
        .contains(
            new NodeAction.MarkUnknown(
                List.of(
                    unknown(Condition.READY, NODE_CLOCK, 40),
                    unknown(Condition.MEMORY_PRESSURE, null, 40),
                    unknown(Condition.DISK_PRESSURE, null, 40))));
  }

  @Test
  void aRenewedLeaseIsASignOfLife() {
    lease = NODE_CLOCK.plusSeconds(30).toString();
    check(30);
    assertThat(check(69)).isEmpty();
    assertThat(check(70)).isNotEmpty();
  }

  @Test
  void aPostedStatusIsASignOfLife() {
    node = node.ready(ConditionStatus.TRUE, NODE_CLOCK.plusSeconds(30));
    check(30);
    assertThat(check(69)).isEmpty();
    assertThat(check(70)).isNotEmpty();
  }

  /** Upstream sees no renewal in a time that is before the last one. */
  @Test
  void aLeaseRenewedByAClockThatRunsBackwardsIsASignOfLife() {
    for (long second = 10; second <= 120; second += 10) {
      lease = NODE_CLOCK.minusSeconds(second).toString();
      assertThat(check(second)).as("at %d s", second).isEmpty();
    }
  }

  @Test
  void aLeaseThatIsDeletedIsNoSignOfLife() {
    lease = null;
    check(30);
    assertThat(check(40)).isNotEmpty();
  }

  @Test
  void aLeaseThatComesBackAsItWasIsNoSignOfLife() {
    String before = lease;
    lease = null;
    check(20);
    lease = before;
    check(30);
    assertThat(check(40)).isNotEmpty();
  }

  @Test
  void aReadyConditionThatComesBackAsItWasIsNoSignOfLife() {
    NodeFixture before = node;
    node = node("n1").createdAt(START);
    check(20);
    node = before;
    check(30);
    assertThat(check(40)).isNotEmpty();
  }

  /** A cache that has not heard of the controller's own writing yet shows no Ready condition. */
  @Test
  void aStaleViewOfTheNodeIsNoSignOfLife() {
    node = node("n2").createdAt(START);
    lease = null;
    last = null;
    List<NodeAction> actions = check(60);
    assertThat(check(65)).hasAtLeastOneElementOfType(NodeAction.MarkUnknown.class);
    applyMarkUnknown(actions);
    assertThat(check(70)).doesNotHaveAnyElementsOfTypes(NodeAction.MarkUnknown.class);
    assertThat(last).isNotNull().extracting(NodeObservation::heard).isEqualTo(START);
  }

  @Test
  void podsAreMarkedOnce() {
    assertThat(checkAndFollow(40)).contains(new NodeAction.MarkPodsNotReady());
    node = node.tainted("node.kubernetes.io/unreachable:NoSchedule");
    assertThat(check(45)).containsExactly(UNREACHABLE_NO_EXECUTE);
    assertThat(check(50)).containsExactly(UNREACHABLE_NO_EXECUTE);
  }

  @Test
  void whatFailedIsAskedForAgain() {
    List<NodeAction> first = check(40);
    assertThat(check(45))
        .hasSameSizeAs(first)
        .hasAtLeastOneElementOfType(NodeAction.MarkUnknown.class);
  }

  @Test
  void afterARestartAnUnknownNodesPodsAreMarkedAgainAndNothingElseIsAssumed() {
    applyMarkUnknown(check(40));
    node =
        node.tainted(
            "node.kubernetes.io/unreachable:NoSchedule",
            "node.kubernetes.io/unreachable:NoExecute");
    last = null;
    assertThat(check(1000)).containsExactly(new NodeAction.MarkPodsNotReady());
    assertThat(check(1005)).isEmpty();
  }

  /** What is stored may be out of date; the fraction of the second of its loss is not stored. */
  @Test
  void afterARestartANodeThatWasJustLostIsNotEmptiedBeforeAGracePeriodHasPassed() {
    applyMarkUnknown(check(40));
    node = node.tainted("node.kubernetes.io/unreachable:NoSchedule");
    last = null;
    check(60);
    assertThat(check(80)).isEmpty();
    assertThat(health(HealthSettings.DEFAULT, 80).checkAgain()).isEqualTo(START.plusSeconds(81));
    assertThat(check(81)).containsExactly(UNREACHABLE_NO_EXECUTE);
  }

  @ParameterizedTest(name = "with a lease of {0} s")
  @CsvSource({"0, 20", "40, 20", "64, 20", "80, 25", "144, 45"})
  void aNodeIsSuspectAfterHalfItsGracePeriodAndMoreThanARenewal(long lease, long seconds) {
    NodeObservation seen =
        NodeObservation.first(node.view(), null, HealthSettings.DEFAULT, START, START);
    Duration duration = Duration.ofSeconds(lease);
    Instant from = START.plusSeconds(seconds);
    assertThat(seen.isSuspect(HealthSettings.DEFAULT, duration, from.minusMillis(1))).isFalse();
    assertThat(seen.isSuspect(HealthSettings.DEFAULT, duration, from)).isTrue();
  }

  /** Otherwise a controller that often crashes would never empty it. */
  @Test
  void afterARestartANodeThatWasLostLongAgoIsEmptiedWhenItsZonePermits() {
    applyMarkUnknown(check(40));
    node = node.tainted("node.kubernetes.io/unreachable:NoSchedule");
    last = null;
    assertThat(check(1000))
        .containsExactly(new NodeAction.MarkPodsNotReady(), UNREACHABLE_NO_EXECUTE);
  }

  @Test
  void whileEveryZoneIsDownThereAreNoNoExecuteTaints() {
    checkAndFollow(40);
    node = node.tainted("node.kubernetes.io/unreachable:NoSchedule");
    assertThat(health(HealthSettings.DEFAULT, true, 45).actions()).isEmpty();
    node = node.tainted("node.kubernetes.io/unreachable:NoExecute");
    assertThat(health(HealthSettings.DEFAULT, true, 45).actions())
        .contains(
            new NodeAction.ChangeTaints(
                new TaintChange(
                    List.of(), List.of(taint("node.kubernetes.io/unreachable:NoExecute")))));
  }

  @Test
  void saysWhenToCheckAgain() {
    assertThat(health(HealthSettings.DEFAULT, 10).checkAgain()).isEqualTo(START.plusSeconds(40));
    checkAndFollow(40);
    assertThat(health(HealthSettings.DEFAULT, 45).checkAgain())
        .as("a lost node stays lost until it changes")
        .isEqualTo(Instant.MAX);
  }

  @Test
  void afterARestartAReadyNodeGetsAFullGracePeriod() {
    last = null;
    assertThat(check(1000)).isEmpty();
    assertThat(check(1039)).isEmpty();
    assertThat(check(1040)).isNotEmpty();
  }

  @Test
  void aNodeThatComesBackLosesItsTaintsAndItsPodsMayBeMarkedAnew() {
    checkAndFollow(40);
    node =
        node.tainted(
                "node.kubernetes.io/unreachable:NoSchedule",
                "node.kubernetes.io/unreachable:NoExecute")
            .ready(ConditionStatus.TRUE, NODE_CLOCK.plusSeconds(60));
    assertThat(check(60))
        .containsExactly(
            new NodeAction.ChangeTaints(
                new TaintChange(
                    List.of(), List.of(taint("node.kubernetes.io/unreachable:NoSchedule")))),
            new NodeAction.ChangeTaints(
                new TaintChange(
                    List.of(), List.of(taint("node.kubernetes.io/unreachable:NoExecute")))));
    assertThat(checkAndFollow(100)).contains(new NodeAction.MarkPodsNotReady());
  }

  /** Once, since its agent is there and still reports on its pods. */
  @Test
  void thePodsOfANodeThatSaysItIsNotReadyAreMarkedToo() {
    node = node.ready(ConditionStatus.FALSE, NODE_CLOCK.plusSeconds(10));
    assertThat(check(10))
        .containsExactly(
            new NodeAction.MarkPodsNotReady(),
            new NodeAction.ChangeTaints(
                new TaintChange(
                    List.of(taint("node.kubernetes.io/not-ready:NoSchedule")), List.of())),
            new NodeAction.AwaitEvictionRate(taint("node.kubernetes.io/not-ready:NoExecute")));
    assertThat(check(11)).doesNotContain(new NodeAction.MarkPodsNotReady());
    assertThat(checkAndFollow(50))
        .as("lost: its agent says nothing any more")
        .contains(new NodeAction.MarkPodsNotReady());
  }

  @Test
  void aNodeThatNeverPostedStatusHasTheLongerStartUpGrace() {
    node = node("n2").createdAt(START).tainted(NodeTaints.NEW_NODE);
    lease = null;
    last = null;
    assertThat(check(10)).isEmpty();
    assertThat(check(59)).isEmpty();
    List<NodeAction> actions = check(60);
    assertThat(actions)
        .contains(
            new NodeAction.MarkUnknown(
                List.of(
                    neverUpdated(Condition.READY, 60),
                    neverUpdated(Condition.MEMORY_PRESSURE, 60),
                    neverUpdated(Condition.DISK_PRESSURE, 60),
                    neverUpdated(Condition.PID_PRESSURE, 60))));
    applyMarkUnknown(actions);
    assertThat(check(60)).contains(new NodeAction.MarkPodsNotReady());
    assertThat(check(65))
        .as("the controller's own writing is no sign of life")
        .noneMatch(
            a -> a instanceof NodeAction.MarkUnknown || a instanceof NodeAction.MarkPodsNotReady);
    assertThat(last).isNotNull().extracting(NodeObservation::heard).isEqualTo(START);
  }

  @Test
  void afterEveryZoneWasDownNodesGetAFullGracePeriod() {
    checkAndFollow(40);
    node = node.tainted("node.kubernetes.io/unreachable:NoSchedule");
    last = last == null ? null : last.afterCutOff(HealthSettings.DEFAULT, START.plusSeconds(100));
    assertThat(check(139)).isEmpty();
    assertThat(check(140)).containsExactly(UNREACHABLE_NO_EXECUTE);
  }

  @Test
  void withoutTaintBasedEvictionsThereAreNoNoExecuteTaints() {
    applyMarkUnknown(check(40));
    HealthSettings off =
        new HealthSettings(
            Duration.ofSeconds(40), Duration.ofSeconds(60), Duration.ofMinutes(5), false, true);
    assertThat(health(off, 40).actions())
        .contains(UNREACHABLE_NO_SCHEDULE)
        .doesNotContain(UNREACHABLE_NO_EXECUTE);
  }

  @Test
  void withoutTaintNodesByConditionThereAreNoNoScheduleTaints() {
    applyMarkUnknown(check(40));
    HealthSettings off =
        new HealthSettings(
            Duration.ofSeconds(40), Duration.ofSeconds(60), Duration.ofMinutes(5), true, false);
    assertThat(health(off, 40).actions())
        .contains(UNREACHABLE_NO_EXECUTE)
        .doesNotContain(UNREACHABLE_NO_SCHEDULE);
  }
}
