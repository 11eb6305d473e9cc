package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.taint;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.fixture.PodFixture;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EvictionTimeTest {
  private static final Instant ADDED = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = ADDED.plusSeconds(100);
  private static final Instant ARRIVED = ADDED.minusSeconds(3600);
  private static final EvictionTime NEVER = new EvictionTime.Never();

  private static final Taint A = taint("a:NoExecute").addedAt(ADDED);
  private static final Taint B = taint("b:NoExecute").addedAt(ADDED.plusSeconds(50));
  private static final Taint UNREACHABLE =
      Taint.of(WellKnownTaints.UNREACHABLE, TaintEffect.NO_EXECUTE).addedAt(ADDED);

  private static final PodFixture WEB = pod("web").on("n1");
  private static final Toleration A_FOR_EVER = Toleration.exists("a", TaintEffect.NO_EXECUTE);
  private static final Toleration B_FOR_EVER = Toleration.exists("b", TaintEffect.NO_EXECUTE);

  static Stream<Arguments> decisions() {
    return Stream.of(
        argumentSet("no taints", WEB, List.of(), NEVER),
        argumentSet("not tolerated: at once", WEB, List.of(A), now(A)),
        argumentSet(
            "tolerated without seconds: for ever", WEB.tolerating(A_FOR_EVER), List.of(A), NEVER),
        argumentSet(
            "tolerated with seconds: when they run out, counted from timeAdded",
            WEB.tolerating(A_FOR_EVER.seconds(300)),
            List.of(A),
            at(300, A)),
        argumentSet(
            "Kubernetes' documented example: 3600 seconds",
            WEB.tolerating(
                Toleration.equal("key1", "value1", TaintEffect.NO_EXECUTE).seconds(3600)),
            List.of(taint("key1=value1:NoExecute").addedAt(ADDED)),
            at(3600, taint("key1=value1:NoExecute").addedAt(ADDED))),
        argumentSet(
            "Kubernetes' documented example: 6000 seconds for unreachable",
            WEB.tolerating(WellKnownTaints.UNREACHABLE, ofMinutes(100)),
            List.of(UNREACHABLE),
            at(6000, UNREACHABLE)),
        argumentSet(
            "the older documentation's example: 6000 seconds for the legacy key",
            WEB.tolerating(WellKnownTaints.LEGACY_UNREACHABLE, ofMinutes(100)),
            List.of(UNREACHABLE),
            at(6000, UNREACHABLE)),
        argumentSet(
            "Kubernetes' documented example of three taints: it goes on running",
            WEB.tolerating(
                Toleration.equal("key1", "value1", TaintEffect.NO_SCHEDULE),
                Toleration.equal("key1", "value1", TaintEffect.NO_EXECUTE)),
            List.of(
                taint("key1=value1:NoSchedule"),
                taint("key1=value1:NoExecute").addedAt(ADDED),
                taint("key2=value2:NoSchedule")),
            NEVER),
        argumentSet(
            "the smallest of the matching tolerations' seconds",
            WEB.tolerating(A_FOR_EVER.seconds(300), A_FOR_EVER.seconds(120)),
            List.of(A),
            at(120, A)),
        argumentSet(
            "a matching toleration without seconds does not lift another's bound",
            WEB.tolerating(A_FOR_EVER, A_FOR_EVER.seconds(120)),
            List.of(A),
            at(120, A)),
        argumentSet(
            "nor the other way round, as order does not count",
            WEB.tolerating(A_FOR_EVER.seconds(120), A_FOR_EVER),
            List.of(A),
            at(120, A)),
        argumentSet(
            "a toleration that does not match does not count",
            WEB.tolerating(A_FOR_EVER.seconds(300), B_FOR_EVER.seconds(1)),
            List.of(A),
            at(300, A)),
        argumentSet(
            "each taint is counted from its own time",
            WEB.tolerating(A_FOR_EVER.seconds(300), B_FOR_EVER.seconds(200)),
            List.of(A, B),
            at(250, B)),
        argumentSet(
            "the taint that was added earlier can decide in spite of more seconds",
            WEB.tolerating(A_FOR_EVER.seconds(240), B_FOR_EVER.seconds(200)),
            List.of(B, A),
            at(240, A)),
        argumentSet(
            "of equal deadlines the node's first taint is named",
            WEB.tolerating(A_FOR_EVER.seconds(250), B_FOR_EVER.seconds(200)),
            List.of(B, A),
            at(250, B)),
        argumentSet(
            "one taint tolerated for ever, one for a time",
            WEB.tolerating(A_FOR_EVER, B_FOR_EVER.seconds(200)),
            List.of(A, B),
            at(250, B)),
        argumentSet(
            "one taint tolerated for a time, one not at all",
            WEB.tolerating(A_FOR_EVER.seconds(300)),
            List.of(A, B),
            now(B)),
        argumentSet(
            "zero seconds: at once", WEB.tolerating(A_FOR_EVER.seconds(0)), List.of(A), now(A)),
        argumentSet(
            "negative seconds: at once",
            WEB.tolerating(A_FOR_EVER.seconds(-5)),
            List.of(A),
            now(A)),
        argumentSet(
            "seconds that ran out while nobody looked: the time they ran out",
            WEB.tolerating(A_FOR_EVER.seconds(30)),
            List.of(A),
            at(30, A)),
        argumentSet(
            "as many seconds as count",
            WEB.tolerating(A_FOR_EVER.seconds(EvictionTime.FOR_EVER_SECONDS)),
            List.of(A),
            at(EvictionTime.FOR_EVER_SECONDS, A)),
        argumentSet(
            "one second more: for ever",
            WEB.tolerating(A_FOR_EVER.seconds(EvictionTime.FOR_EVER_SECONDS + 1)),
            List.of(A),
            NEVER),
        argumentSet(
            "more seconds than there is time: for ever",
            WEB.tolerating(A_FOR_EVER.seconds(Long.MAX_VALUE)),
            List.of(A),
            NEVER),
        argumentSet(
            "NoSchedule taints evict nobody",
            WEB,
            List.of(taint("a:NoSchedule"), taint("b:PreferNoSchedule")),
            NEVER),
        argumentSet(
            "a pod that succeeded is left alone", WEB.phase("Succeeded"), List.of(A), NEVER),
        argumentSet("a pod that failed is left alone", WEB.phase("Failed"), List.of(A), NEVER),
        argumentSet(
            "a pod that is terminating is left alone",
            WEB.terminatingSince(NOW),
            List.of(A),
            NEVER));
  }

  private static EvictionTime at(long secondsAfterAdded, Taint taint) {
    return new EvictionTime.At(ADDED.plusSeconds(secondsAfterAdded), taint);
  }

  private static EvictionTime now(Taint taint) {
    return new EvictionTime.Immediately(taint);
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void decides(PodFixture pod, List<Taint> taints, EvictionTime expected) {
    assertThat(
            EvictionTime.of(
                new PodTree(pod.tree()), ARRIVED, taints, TolerationRules.STANDARD, NOW))
        .isEqualTo(expected);
  }

  /** Unlike upstream: a restart or a failover does not restart the countdown. */
  @Test
  void theTimeDoesNotDependOnWhenItIsAskedFor() {
    PodFixture pod = WEB.tolerating(A_FOR_EVER.seconds(300));
    EvictionTime before =
        EvictionTime.of(
            new PodTree(pod.tree()), ARRIVED, List.of(A), TolerationRules.STANDARD, ADDED);
    EvictionTime later =
        EvictionTime.of(
            new PodTree(pod.tree()),
            ARRIVED,
            List.of(A),
            TolerationRules.STANDARD,
            NOW.plusSeconds(1000));
    assertThat(later).isEqualTo(before).isEqualTo(at(300, A));
  }

  @Test
  void editingTheTolerationMovesTheTime() {
    PodFixture shorter = WEB.tolerating(A_FOR_EVER.seconds(120));
    assertThat(
            EvictionTime.of(
                new PodTree(shorter.tree()), ARRIVED, List.of(A), TolerationRules.STANDARD, NOW))
        .isEqualTo(at(120, A));
  }

  @Test
  void aTaintRemovedBeforeTheTimeEvictsNobody() {
    PodFixture pod = WEB.tolerating(A_FOR_EVER.seconds(300));
    assertThat(
            EvictionTime.of(
                new PodTree(pod.tree()), ARRIVED, List.of(), TolerationRules.STANDARD, NOW))
        .isEqualTo(NEVER);
  }

  @Test
  void aTaintWithoutTimeIsCountedFromNow() {
    Taint timeless = taint("a:NoExecute");
    PodFixture pod = WEB.tolerating(A_FOR_EVER.seconds(300));
    assertThat(
            EvictionTime.of(
                new PodTree(pod.tree()), ARRIVED, List.of(timeless), TolerationRules.STANDARD, NOW))
        .isEqualTo(new EvictionTime.At(NOW.plusSeconds(300), timeless));
  }

  @Test
  void aPodThatCameToATaintedNodeIsCountedFromItsArrival() {
    PodTree pod =
        new PodTree(WEB.tolerating(A_FOR_EVER.seconds(300), B_FOR_EVER.seconds(280)).tree());
    Instant arrived = ADDED.plusSeconds(40);
    assertThat(EvictionTime.of(pod, arrived, List.of(A), TolerationRules.STANDARD, NOW))
        .isEqualTo(at(340, A));
    assertThat(EvictionTime.of(pod, arrived, List.of(A, B), TolerationRules.STANDARD, NOW))
        .as("B was added later than that")
        .isEqualTo(at(330, B));
  }

  @Test
  void whoDoesNotTolerateAtAllIsEvictedAtOnceHoweverLateItCame() {
    assertThat(
            EvictionTime.of(
                new PodTree(WEB.tree()), NOW, List.of(A), TolerationRules.STANDARD, NOW))
        .isEqualTo(now(A));
  }
}
