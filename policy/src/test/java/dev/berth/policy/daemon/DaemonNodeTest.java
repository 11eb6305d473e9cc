package dev.berth.policy.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.IntOrPercent;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.policy.daemon.DaemonNode.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DaemonNodeTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final DaemonEligibility YES = new DaemonEligibility.Eligible();
  private static final DaemonEligibility NO = new DaemonEligibility.NotSelected();
  private static final DaemonEligibility STAYS =
      new DaemonEligibility.OnlyIfThere(new Taint("k", "", TaintEffect.NO_SCHEDULE, null));
  private static final DaemonStrategy ROLLING = strategy(true, 1, 0);
  private static final DaemonStrategy SURGE = strategy(true, 0, 1);
  private static final DaemonStrategy ON_DELETE = strategy(false, 1, 0);

  private static final DaemonPod NEW = pod("new", "2");
  private static final DaemonPod OLD = pod("old", "1");

  private static DaemonStrategy strategy(boolean rolling, long unavailable, long surge) {
    return new DaemonStrategy(
        rolling,
        new IntOrPercent.Count(unavailable),
        new IntOrPercent.Count(surge),
        Duration.ofSeconds(10));
  }

  /** Bound, running, and available for long. */
  private static DaemonPod pod(String name, String revision) {
    return new DaemonPod(
        name, name, "n", true, revision, PodPhase.RUNNING, "", false, NOW, Instant.EPOCH);
  }

  private static DaemonPod phase(DaemonPod pod, PodPhase phase, String reason) {
    return new DaemonPod(
        pod.name(), pod.uid(), "n", true, pod.revision(), phase, reason, false, NOW, Instant.MAX);
  }

  private static DaemonPod readySince(DaemonPod pod, Instant since) {
    return new DaemonPod(
        pod.name(), pod.uid(), "n", true, pod.revision(), PodPhase.RUNNING, "", false, NOW, since);
  }

  private static DaemonPod unbound(DaemonPod pod) {
    return new DaemonPod(
        pod.name(),
        pod.uid(),
        "n",
        false,
        pod.revision(),
        PodPhase.PENDING,
        "",
        false,
        NOW,
        Instant.MAX);
  }

  private static DaemonNode node(DaemonEligibility eligibility, State state, DaemonPod... pods) {
    return new DaemonNode(eligibility, state, List.of(pods), false, FailureBackoff.NONE);
  }

  private static final DaemonPod FAILED = phase(NEW, PodPhase.FAILED, "Evicted");
  private static final DaemonPod REFUSED = phase(NEW, PodPhase.FAILED, "NodeShutdown");
  private static final DaemonPod UNREADY = readySince(NEW, Instant.MAX);
  private static final DaemonPod OLD_UNREADY = readySince(OLD, Instant.MAX);
  private static final DaemonNode COMING =
      new DaemonNode(YES, State.READY, List.of(), true, FailureBackoff.NONE);
  private static final DaemonNode OLD_AND_COMING =
      new DaemonNode(YES, State.READY, List.of(OLD), true, FailureBackoff.NONE);
  private static final DaemonNode BACKS_OFF =
      new DaemonNode(
          YES, State.READY, List.of(FAILED), false, FailureBackoff.NONE.next(NOW.minusMillis(1)));

  static Stream<Arguments> nodes() {
    return Stream.of(
        argumentSet("none there", node(YES, State.READY), ROLLING, "create"),
        argumentSet("none there, not ready", node(YES, State.NOT_READY), ROLLING, "create"),
        argumentSet("none there, shutting down", node(YES, State.SHUTTING_DOWN), ROLLING, ""),
        argumentSet("none there, and none is to come", node(STAYS, State.READY), ROLLING, ""),
        argumentSet("one is coming", COMING, ROLLING, ""),
        argumentSet("one is there", node(YES, State.READY, NEW), ROLLING, ""),
        argumentSet("one is on its way out", node(YES, State.READY, NEW.left()), ROLLING, ""),
        argumentSet(
            "one is on its way out, surging", node(YES, State.READY, NEW.left()), SURGE, "create"),
        argumentSet("not for this node", node(NO, State.READY, NEW), ROLLING, "NOT_HERE new"),
        argumentSet(
            "not for this node, and on its way out",
            node(NO, State.READY, NEW.left()),
            ROLLING,
            ""),
        argumentSet("may stay", node(STAYS, State.READY, NEW), ROLLING, ""),
        argumentSet("the node is gone", node(NO, State.GONE, NEW), ROLLING, ""),
        argumentSet(
            "the node is gone before the pod was bound",
            node(NO, State.GONE, unbound(NEW)),
            ROLLING,
            "NOT_HERE new"),
        argumentSet(
            "two of them", node(YES, State.READY, NEW, pod("z", "2")), ROLLING, "TOO_MANY z"),
        argumentSet(
            "an unbound one is the younger",
            node(YES, State.READY, unbound(pod("a", "2")), NEW),
            ROLLING,
            "TOO_MANY a"),
        argumentSet("failed", node(YES, State.READY, FAILED), ROLLING, "FAILED new"),
        argumentSet("failed again", BACKS_OFF, ROLLING, "again 2030-01-01T00:00:00.999Z"),
        argumentSet("failed, shutting down", node(YES, State.SHUTTING_DOWN, FAILED), ROLLING, ""),
        argumentSet("refused, not ready", node(YES, State.NOT_READY, REFUSED), ROLLING, ""),
        argumentSet("refused, ready again", node(YES, State.READY, REFUSED), ROLLING, "FAILED new"),
        argumentSet(
            "ended well",
            node(YES, State.READY, phase(NEW, PodPhase.SUCCEEDED, "")),
            ROLLING,
            "SUCCEEDED new"),
        argumentSet("out of date", node(YES, State.READY, OLD), ROLLING, "outdated old"),
        argumentSet("out of date, on delete", node(YES, State.READY, OLD), ON_DELETE, ""),
        argumentSet("out of date, surging", node(YES, State.READY, OLD), SURGE, "outdated old"),
        argumentSet(
            "out of date, and none is to come",
            node(STAYS, State.READY, OLD),
            ROLLING,
            "outdated old for good"),
        argumentSet(
            "out of date, and none is to come, on delete",
            node(STAYS, State.READY, OLD),
            ON_DELETE,
            ""),
        argumentSet(
            "out of date and not available, and none is to come",
            node(STAYS, State.READY, OLD_UNREADY),
            ROLLING,
            "OUTDATED old"),
        argumentSet(
            "out of date and not available, and none is to come, surging",
            node(STAYS, State.READY, OLD_UNREADY),
            SURGE,
            "OUTDATED old"),
        argumentSet("out of date, shutting down", node(YES, State.SHUTTING_DOWN, OLD), ROLLING, ""),
        argumentSet(
            "out of date and not available",
            node(YES, State.READY, OLD_UNREADY),
            ROLLING,
            "OUTDATED old"),
        argumentSet(
            "out of date and not available, surging",
            node(YES, State.READY, OLD_UNREADY),
            SURGE,
            "create"),
        argumentSet("the new one is coming, surging", OLD_AND_COMING, SURGE, ""),
        argumentSet("old and new, surging", node(YES, State.READY, OLD, UNREADY), SURGE, ""),
        argumentSet(
            "the new one is available, surging",
            node(YES, State.READY, OLD, NEW),
            SURGE,
            "OUTDATED old"),
        argumentSet(
            "the old one is not ready, surging",
            node(YES, State.READY, OLD_UNREADY, UNREADY),
            SURGE,
            "OUTDATED old"),
        argumentSet(
            "ready, but not for long enough",
            node(YES, State.READY, readySince(NEW, NOW.minusSeconds(9))),
            ROLLING,
            "again 2030-01-01T00:00:01Z"));
  }

  @ParameterizedTest
  @MethodSource("nodes")
  void whatIsToBeDone(DaemonNode node, DaemonStrategy strategy, String expected) {
    DaemonNode.Verdict verdict = node.decide(new DaemonNode.Rules(strategy, Set.of("2")), NOW);
    StringBuilder done = new StringBuilder();
    if (verdict.create()) {
      done.append("create ");
    }
    verdict.removals().forEach(r -> done.append(r.reason() + " " + r.pod().name() + " "));
    verdict
        .outdated()
        .ifPresent(old ->
            done.append("outdated " + old.pod().name() + (old.isReplaced() ? " " : " for good ")));
    verdict.again().ifPresent(again -> done.append("again " + again + " "));
    assertThat(done.toString().strip()).isEqualTo(expected);
  }

  private static DaemonCounts counts(DaemonNode node, DaemonStrategy strategy) {
    return node.decide(new DaemonNode.Rules(strategy, Set.of("2")), NOW).counts();
  }

  @Test
  void howANodeCounts() {
    assertThat(counts(node(YES, State.READY, NEW), ROLLING))
        .isEqualTo(new DaemonCounts(1, 1, 0, 1, 1, 1, 0, 0, 0));
    assertThat(counts(node(YES, State.READY, OLD), ROLLING))
        .isEqualTo(new DaemonCounts(1, 1, 0, 1, 1, 0, 0, 0, 0));
    assertThat(counts(node(YES, State.READY), ROLLING))
        .isEqualTo(new DaemonCounts(1, 0, 0, 0, 0, 0, 1, 0, 0));
    assertThat(counts(node(YES, State.READY, UNREADY), ROLLING))
        .isEqualTo(new DaemonCounts(1, 1, 0, 0, 0, 1, 1, 0, 0));
    assertThat(counts(node(YES, State.READY, OLD, UNREADY), SURGE).surging()).isEqualTo(1);
    assertThat(counts(OLD_AND_COMING, SURGE).surging()).isEqualTo(1);
    assertThat(counts(node(STAYS, State.READY, NEW), ROLLING))
        .isEqualTo(new DaemonCounts(0, 0, 1, 0, 0, 0, 0, 0, 1));
    assertThat(counts(node(NO, State.READY), ROLLING)).isEqualTo(DaemonCounts.NONE);
  }

  @Test
  void roomIsWhatTheStrategyLeaves() {
    DaemonCounts ten = new DaemonCounts(10, 10, 0, 10, 10, 0, 1, 0, 0);
    IntOrPercent quarter = new IntOrPercent.Percent(25);
    IntOrPercent none = new IntOrPercent.Count(0);
    assertThat(new DaemonStrategy(true, quarter, none, Duration.ZERO).room(ten)).isEqualTo(2);
    assertThat(new DaemonStrategy(true, none, quarter, Duration.ZERO).room(ten)).isEqualTo(3);
    assertThat(new DaemonStrategy(true, none, none, Duration.ZERO).room(ten)).isZero();
    assertThat(
            new DaemonStrategy(true, none, none, Duration.ZERO)
                .room(ten.minus(new DaemonCounts(0, 0, 0, 0, 0, 0, 1, 0, 0))))
        .isEqualTo(1);
    assertThat(ON_DELETE.room(ten)).isZero();
  }
}
