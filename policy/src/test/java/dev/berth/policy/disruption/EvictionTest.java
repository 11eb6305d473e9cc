package dev.berth.policy.disruption;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EvictionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String MESSAGE =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  private static final PodFixture READY = pod("web-0").on("n").labelled("app", "web").ready(true);
  private static final PodFixture UNHEALTHY = READY.ready(false);

  private static final Eviction NOT_CHARGED = new Eviction.AllowedWithoutBudget(false);
  private static final Eviction NOT_CHARGED_IF_UNCHANGED = new Eviction.AllowedWithoutBudget(true);

  /** A budget of a test. */
  record Budget(JsonObject tree) {
    static Budget allowing(long disruptions) {
      return new Budget(
              JsonObject.of("metadata", object("namespace", "default", "name", "pdb"))
                  .with(
                      "spec",
                      JsonObject.of(
                          "selector", JsonObject.of("matchLabels", object("app", "web")))))
          .with("status.disruptionsAllowed", disruptions);
    }

    Budget with(String path, Object value) {
      return new Budget((JsonObject) FieldPath.parse(path).set(tree, value));
    }

    Budget healthy(long current, long desired) {
      return with("status.currentHealthy", current).with("status.desiredHealthy", desired);
    }

    Budget always() {
      return with("spec.unhealthyPodEvictionPolicy", "AlwaysAllow");
    }

    Budget condition(String reason, String message) {
      return with(
          "status.conditions",
          JsonArray.of(
              object(
                  "type",
                  "DisruptionAllowed",
                  "status",
                  "False",
                  "reason",
                  reason,
                  "message",
                  message)));
    }

    PodDisruptionBudgetView view() {
      return PodDisruptionBudgetView.read(tree);
    }
  }

  private static Eviction decide(PodFixture pod, Budget... budgets) {
    return Eviction.decide(pod.view(), Stream.of(budgets).map(Budget::view).toList(), NOW);
  }

  static Stream<Arguments> notCharged() {
    Budget none = Budget.allowing(0);
    return Stream.of(
        argumentSet("no budget", READY, List.of(), NOT_CHARGED),
        argumentSet(
            "a budget of other pods",
            READY,
            List.of(none.with("spec.selector.matchLabels.app", "db")),
            NOT_CHARGED),
        argumentSet(
            "a budget of another namespace",
            READY,
            List.of(none.with("metadata.namespace", "prod")),
            NOT_CHARGED),
        argumentSet(
            "a budget without selector selects nothing",
            READY,
            List.of(none.with("spec.selector", JsonNull.NULL)),
            NOT_CHARGED),
        argumentSet("a pod that succeeded", READY.phase("Succeeded"), List.of(none), NOT_CHARGED),
        argumentSet("a pod that failed", READY.phase("Failed"), List.of(none), NOT_CHARGED),
        argumentSet(
            "a pod that is terminating", READY.terminatingSince(NOW), List.of(none), NOT_CHARGED),
        argumentSet(
            "a pending pod, if it is still pending",
            READY.phase("Pending"),
            List.of(none),
            NOT_CHARGED_IF_UNCHANGED),
        argumentSet(
            "an unhealthy pod with AlwaysAllow",
            UNHEALTHY,
            List.of(none.healthy(0, 3).always()),
            NOT_CHARGED_IF_UNCHANGED),
        argumentSet(
            "an unhealthy pod with IfHealthyBudget, the budget met",
            UNHEALTHY,
            List.of(none.healthy(3, 3)),
            NOT_CHARGED_IF_UNCHANGED));
  }

  @ParameterizedTest
  @MethodSource("notCharged")
  void allowsWithoutCharging(PodFixture pod, List<Budget> budgets, Eviction expected) {
    assertThat(decide(pod, budgets.toArray(Budget[]::new))).isEqualTo(expected);
  }

  static Stream<Arguments> refused() {
    String named = "The disruption budget pdb ";
    return Stream.of(
        argumentSet(
            "nothing allowed: the counts are named",
            READY,
            Budget.allowing(0).healthy(2, 3),
            named + "needs 3 healthy pods and has 2 currently",
            0),
        argumentSet(
            "an unhealthy pod with IfHealthyBudget, the budget not met",
            UNHEALTHY,
            Budget.allowing(0).healthy(2, 3),
            named + "needs 3 healthy pods and has 2 currently",
            0),
        argumentSet(
            "an unhealthy pod with IfHealthyBudget, nothing wanted and nothing allowed",
            UNHEALTHY,
            Budget.allowing(0).healthy(0, 0),
            named + "needs 0 healthy pods and has 0 currently",
            0),
        argumentSet(
            "a healthy pod with AlwaysAllow",
            READY,
            Budget.allowing(0).healthy(3, 3).always(),
            named + "needs 3 healthy pods and has 3 currently",
            0),
        argumentSet(
            "a budget that was changed and not counted since",
            READY,
            Budget.allowing(5)
                .with("metadata.generation", 2L)
                .with("status.observedGeneration", 1L),
            named + "is still being processed by the server.",
            10),
        argumentSet(
            "a budget that could not be counted",
            READY,
            Budget.allowing(0).healthy(2, 3).condition("SyncFailed", "no scale"),
            named + "does not allow evicting pods currently because it failed sync: no scale",
            0),
        argumentSet(
            "nothing allowed though more are healthy than wanted, with a reason",
            READY,
            Budget.allowing(0).healthy(4, 3).condition("Because", "of this"),
            named + "does not allow evicting pods currently (Because): of this",
            0),
        argumentSet(
            "nothing allowed though more are healthy than wanted",
            READY,
            Budget.allowing(0).healthy(4, 3),
            named + "does not allow evicting pods currently",
            0));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refuses(PodFixture pod, Budget budget, String cause, int retryAfterSeconds) {
    assertThat(decide(pod, budget))
        .isEqualTo(
            new Eviction.Refused(
                Eviction.Refusal.TOO_MANY_REQUESTS,
                MESSAGE,
                cause,
                Duration.ofSeconds(retryAfterSeconds)));
  }

  @Test
  void severalBudgetsAreNotSupported() {
    assertThat(decide(READY, Budget.allowing(1), Budget.allowing(1)))
        .isEqualTo(
            new Eviction.Refused(
                Eviction.Refusal.SEVERAL_BUDGETS,
                "This pod has more than one PodDisruptionBudget, which the eviction subresource does"
                    + " not support.",
                "",
                Duration.ZERO));
  }

  @Test
  void aBrokenBudgetIsForbidden() {
    assertThat(decide(READY, Budget.allowing(-1)))
        .isEqualTo(forbidden("pdb disruptions allowed is negative"));
    Budget full = Budget.allowing(1).with("status.disruptedPods", disrupted(2001));
    assertThat(decide(READY, full))
        .isEqualTo(
            forbidden(
                "DisruptedPods map too big - too many evictions not confirmed by PDB controller"));
    Budget nearlyFull = Budget.allowing(1).with("status.disruptedPods", disrupted(2000));
    assertThat(decide(READY, nearlyFull)).isInstanceOf(Eviction.Allowed.class);
  }

  private static Eviction forbidden(String message) {
    return new Eviction.Refused(Eviction.Refusal.FORBIDDEN, message, "", Duration.ZERO);
  }

  private static JsonObject disrupted(int pods) {
    JsonObject.Builder disrupted = new JsonObject.Builder();
    for (int i = 0; i < pods; i++) {
      disrupted.put("p" + i, NOW.toString());
    }
    return disrupted.build();
  }

  @Test
  void anAllowedEvictionIsChargedToTheBudget() {
    Budget budget = Budget.allowing(2).healthy(5, 3).with("status.disruptedPods", disrupted(1));
    assertThat(decide(READY, budget))
        .isInstanceOfSatisfying(
            Eviction.Allowed.class,
            allowed -> {
              assertThat(allowed.budget()).isEqualTo("pdb");
              assertThat(allowed.status().disruptionsAllowed()).isEqualTo(1);
              assertThat(allowed.status().disruptedPods())
                  .containsEntry("web-0", NOW)
                  .containsEntry("p0", NOW)
                  .hasSize(2);
              assertThat(allowed.status().currentHealthy()).isEqualTo(5);
            });
  }

  @Test
  void theLastAllowedEvictionClosesTheBudget() {
    assertThat(decide(READY, Budget.allowing(1).healthy(4, 3)))
        .isInstanceOfSatisfying(
            Eviction.Allowed.class,
            allowed -> {
              assertThat(allowed.status().disruptionsAllowed()).isZero();
              assertThat(allowed.status().conditions())
                  .containsExactly(
                      new Condition(
                          "DisruptionAllowed",
                          ConditionStatus.FALSE,
                          "InsufficientPods",
                          "",
                          null,
                          NOW));
            });
  }

  /** What one eviction writes is what the next one is decided by. */
  @Test
  void aBudgetAllowsAsManyEvictionsAsItSaysAndNoMore() {
    Budget budget = Budget.allowing(3).healthy(6, 3);
    int allowed = 0;
    for (int i = 0; i < 5; i++) {
      if (decide(READY.with("metadata.name", "web-" + i), budget)
          instanceof Eviction.Allowed(var _, PodDisruptionBudgetView.Status status)) {
        allowed++;
        budget = budget.with("status", status.placeIn(budget.tree().object("status")));
      }
    }
    assertThat(allowed).isEqualTo(3);
    assertThat(budget.view().status().disruptedPods()).containsOnlyKeys("web-0", "web-1", "web-2");
  }
}
