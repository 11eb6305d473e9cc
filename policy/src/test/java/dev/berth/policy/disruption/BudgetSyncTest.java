package dev.berth.policy.disruption;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.disruption.PodDisruptionBudgetView.Status;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BudgetSyncTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Map<String, ControllerScale> REPLICAS =
      Map.of(
          "rs",
          new ControllerScale.Known("rs", 7),
          "other",
          new ControllerScale.Known("other", 3),
          "old",
          new ControllerScale.Known("deployment", 4),
          "new",
          new ControllerScale.Known("deployment", 4),
          "daemons",
          new ControllerScale.Unknown("daemonsets.apps does not implement the scale subresource"));

  private static PodDisruptionBudgetView budget(String field, Object value) {
    return PodDisruptionBudgetView.read(budgetTree(field, value));
  }

  private static JsonObject budgetTree(String field, Object value) {
    JsonObject metadata = object("namespace", "default", "name", "web").with("generation", 4L);
    return JsonObject.of("metadata", metadata).with("spec", JsonObject.of(field, value));
  }

  private static CountedPod counted(PodFixture pod) {
    return CountedPod.of(pod.view());
  }

  /** So many pods of one ReplicaSet, of which so many are ready. */
  private static List<CountedPod> pods(int all, int ready) {
    List<CountedPod> pods = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      pods.add(counted(pod("p" + i).on("n").ownedBy("ReplicaSet", "rs").ready(i < ready)));
    }
    return pods;
  }

  private static Status counted(PodDisruptionBudgetView budget, List<CountedPod> pods) {
    BudgetSync sync = BudgetSync.of(budget, pods, REPLICAS, Set.of(), NOW);
    assertThat(sync).isInstanceOf(BudgetSync.Counted.class);
    return sync instanceof BudgetSync.Counted counted ? counted.status() : budget.status();
  }

  static Stream<Arguments> counts() {
    return Stream.of(
        argumentSet("minAvailable 3, 5 of 5 healthy", "minAvailable", 3L, 5, 5, 5, 3, 2),
        argumentSet("minAvailable 3, 3 of 5 healthy", "minAvailable", 3L, 5, 3, 5, 3, 0),
        argumentSet(
            "minAvailable 3, 1 of 5 healthy: not negative", "minAvailable", 3L, 5, 1, 5, 3, 0),
        argumentSet("minAvailable 0", "minAvailable", 0L, 5, 5, 5, 0, 5),
        argumentSet("no pods: nothing is allowed", "minAvailable", 0L, 0, 0, 0, 0, 0),
        argumentSet(
            "minAvailable 50 % of 7 is rounded up to 4", "minAvailable", "50%", 7, 7, 7, 4, 3),
        argumentSet("minAvailable 100 %", "minAvailable", "100%", 7, 7, 7, 7, 0),
        argumentSet("minAvailable 0 %", "minAvailable", "0%", 7, 7, 7, 0, 7),
        argumentSet(
            "minAvailable in percent of the replicas, not of the pods",
            "minAvailable",
            "50%",
            5,
            5,
            7,
            4,
            1),
        argumentSet("maxUnavailable 2 of 7 replicas", "maxUnavailable", 2L, 7, 7, 7, 5, 2),
        argumentSet("maxUnavailable 2, one gone already", "maxUnavailable", 2L, 6, 6, 7, 5, 1),
        argumentSet("maxUnavailable more than there are", "maxUnavailable", 10L, 7, 7, 7, 0, 7),
        argumentSet(
            "maxUnavailable 30 % of 7 is rounded up to 3", "maxUnavailable", "30%", 7, 7, 7, 4, 3),
        argumentSet("maxUnavailable 0 %", "maxUnavailable", "0%", 7, 7, 7, 7, 0));
  }

  @ParameterizedTest
  @MethodSource("counts")
  void counts(
      String field,
      Object value,
      int all,
      int ready,
      long expectedPods,
      long desiredHealthy,
      long disruptionsAllowed) {
    Status status = counted(budget(field, value), pods(all, ready));
    assertThat(status.expectedPods()).as("expectedPods").isEqualTo(expectedPods);
    assertThat(status.currentHealthy()).as("currentHealthy").isEqualTo(ready);
    assertThat(status.desiredHealthy()).as("desiredHealthy").isEqualTo(desiredHealthy);
    assertThat(status.disruptionsAllowed()).as("allowed").isEqualTo(disruptionsAllowed);
    assertThat(status.observedGeneration()).isEqualTo(4);
  }

  @Test
  void theReplicasOfSeveralControllersAddUp() {
    List<CountedPod> both =
        List.of(
            counted(pod("a").ownedBy("ReplicaSet", "rs").ready(true)),
            counted(pod("b").ownedBy("ReplicaSet", "other").ready(true)));
    assertThat(counted(budget("maxUnavailable", 1L), both).expectedPods()).isEqualTo(10);
  }

  @Test
  void theReplicaSetsOfOneDeploymentCountOnce() {
    List<CountedPod> both =
        List.of(
            counted(pod("a").ownedBy("ReplicaSet", "old").ready(true)),
            counted(pod("b").ownedBy("ReplicaSet", "new").ready(true)));
    assertThat(counted(budget("maxUnavailable", 1L), both).expectedPods()).isEqualTo(4);
  }

  @Test
  void podsThatNothingManagesAreReportedAndNotExpected() {
    List<CountedPod> pods = List.of(counted(pod("bare").ready(true)));
    BudgetSync sync = BudgetSync.of(budget("maxUnavailable", 1L), pods, REPLICAS, Set.of(), NOW);
    assertThat(sync).isInstanceOf(BudgetSync.Counted.class);
    if (sync instanceof BudgetSync.Counted counted) {
      assertThat(counted.unmanagedPods()).containsExactly("bare");
      assertThat(counted.status().expectedPods()).isZero();
      assertThat(counted.status().disruptionsAllowed()).isZero();
    }
  }

  @Test
  void aBudgetThatSaysNothingAllowsNothing() {
    PodDisruptionBudgetView empty = budget("unhealthyPodEvictionPolicy", "AlwaysAllow");
    assertThat(counted(empty, pods(3, 3)).disruptionsAllowed()).isZero();
  }

  @Test
  void ifBothAreGivenMaxUnavailableCounts() {
    JsonObject both =
        (JsonObject) FieldPath.of("spec", "minAvailable").set(budgetTree("maxUnavailable", 2L), 1L);
    assertThat(counted(PodDisruptionBudgetView.read(both), pods(7, 7)).desiredHealthy())
        .isEqualTo(5);
  }

  @Test
  void terminatingPodsAreNotHealthy() {
    List<CountedPod> pods = new ArrayList<>(pods(3, 3));
    pods.add(counted(pod("p9").ownedBy("ReplicaSet", "rs").ready(true).terminatingSince(NOW)));
    assertThat(counted(budget("minAvailable", 1L), pods).currentHealthy()).isEqualTo(3);
  }

  @Test
  void anAllowedEvictionCountsAsDoneForTwoMinutes() {
    Status status = syncWithEvicted(NOW.minusSeconds(119)).status();
    assertThat(status.currentHealthy()).isEqualTo(2);
    assertThat(status.disruptedPods()).containsOnlyKeys("p0");
    assertThat(syncWithEvicted(NOW.minusSeconds(119)).recheck()).contains(NOW.plusSeconds(1));
  }

  @Test
  void anEvictionThatDidNotHappenIsGivenBack() {
    BudgetSync.Counted doubtful = syncWithEvicted(NOW.minusSeconds(120));
    assertThat(doubtful.status().currentHealthy()).isEqualTo(2);
    assertThat(doubtful.doubtfulPods()).containsExactly("p0");
    assertThat(doubtful.recheck()).contains(NOW.plusSeconds(10));

    BudgetSync.Counted sync = syncWithEvicted(NOW.minusSeconds(120), "p0");
    assertThat(sync.doubtfulPods()).isEmpty();
    assertThat(sync.status().currentHealthy()).isEqualTo(3);
    assertThat(sync.status().disruptedPods()).isEmpty();
    assertThat(sync.notDeletedPods()).containsExactly("p0");
    assertThat(sync.recheck()).isEmpty();
  }

  private static BudgetSync.Counted syncWithEvicted(Instant allowed, String... confirmed) {
    JsonObject tree =
        (JsonObject)
            FieldPath.of("status", "disruptedPods", "p0")
                .set(budgetTree("minAvailable", 1L), allowed.toString());
    BudgetSync sync =
        BudgetSync.of(
            PodDisruptionBudgetView.read(tree), pods(3, 3), REPLICAS, Set.of(confirmed), NOW);
    if (sync instanceof BudgetSync.Counted counted) {
      return counted;
    }
    throw new AssertionError(sync);
  }

  @Test
  void anEvictedPodThatIsGoneOrGoingIsForgotten() {
    JsonObject tree =
        (JsonObject)
            FieldPath.of("status", "disruptedPods")
                .set(
                    budgetTree("minAvailable", 1L),
                    object("gone", NOW.toString(), "going", NOW.toString()));
    List<CountedPod> pods = new ArrayList<>(pods(2, 2));
    pods.add(counted(pod("going").ready(true).terminatingSince(NOW)));
    Status status = counted(PodDisruptionBudgetView.read(tree), pods);
    assertThat(status.disruptedPods()).isEmpty();
    assertThat(status.currentHealthy()).isEqualTo(2);
  }

  @Test
  void theConditionSaysWhetherDisruptionsAreAllowedAndSinceWhen() {
    Status allowed = counted(budget("minAvailable", 1L), pods(3, 3));
    assertThat(allowed.conditions())
        .containsExactly(
            new Condition(
                "DisruptionAllowed", ConditionStatus.TRUE, "SufficientPods", "", null, NOW));
    Status denied = counted(budget("minAvailable", 3L), pods(3, 3));
    assertThat(denied.conditions())
        .containsExactly(
            new Condition(
                "DisruptionAllowed", ConditionStatus.FALSE, "InsufficientPods", "", null, NOW));
  }

  @Test
  void theConditionKeepsItsTimeUntilItChanges() {
    JsonObject tree = budgetTree("minAvailable", 1L);
    Status before = counted(PodDisruptionBudgetView.read(tree), pods(3, 3));
    JsonObject written = tree.with("status", before.placeIn(JsonObject.EMPTY));
    BudgetSync later =
        BudgetSync.of(
            PodDisruptionBudgetView.read(written),
            pods(3, 2),
            REPLICAS,
            Set.of(),
            NOW.plusSeconds(60));
    assertThat(later)
        .isInstanceOfSatisfying(
            BudgetSync.Counted.class,
            counted -> assertThat(counted.status().conditions()).isEqualTo(before.conditions()));

    BudgetSync closed =
        BudgetSync.of(
            PodDisruptionBudgetView.read(written),
            pods(3, 1),
            REPLICAS,
            Set.of(),
            NOW.plusSeconds(90));
    assertThat(closed)
        .isInstanceOfSatisfying(
            BudgetSync.Counted.class,
            counted ->
                assertThat(counted.status().conditions())
                    .extracting(Condition::lastTransitionTime)
                    .containsExactly(NOW.plusSeconds(90)));
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        argumentSet(
            "a controller that cannot be found",
            budget("maxUnavailable", 1L),
            List.of(counted(pod("lost").ownedBy("ReplicaSet", "nowhere"))),
            "found no controllers for pod \"lost\""),
        argumentSet(
            "a controller that has no scale",
            budget("maxUnavailable", 1L),
            List.of(counted(pod("agent").ownedBy("DaemonSet", "daemons"))),
            "daemonsets.apps does not implement the scale subresource"),
        argumentSet(
            "a share that is no percentage",
            budget("maxUnavailable", "half"),
            pods(3, 3),
            "invalid value for IntOrString: \"half\" is not a percentage"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatCannotBeCountedAllowsNothing(
      PodDisruptionBudgetView budget, List<CountedPod> pods, String message) {
    assertThat(BudgetSync.of(budget, pods, REPLICAS, Set.of(), NOW))
        .isInstanceOfSatisfying(
            BudgetSync.Failed.class,
            failed -> {
              assertThat(failed.message()).isEqualTo(message);
              assertThat(failed.status().disruptionsAllowed()).isZero();
              assertThat(failed.status().conditions())
                  .containsExactly(
                      new Condition(
                          "DisruptionAllowed",
                          ConditionStatus.FALSE,
                          "SyncFailed",
                          message,
                          null,
                          NOW));
            });
  }
}
