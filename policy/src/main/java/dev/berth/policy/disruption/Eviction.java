package dev.berth.policy.disruption;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodView;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.disruption.PodDisruptionBudgetView.Status;
import dev.berth.model.disruption.UnhealthyPodEvictionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The answer to an eviction request. The first of these that applies decides:
 *
 * <ol>
 *   <li>The pod is pending, finished, or terminating: there is nothing to disrupt, budgets are not
 *       asked.
 *   <li>More than one budget selects it: refused, as upstream does not support that either.
 *   <li>None does: allowed.
 *   <li>It runs but is not ready. With the policy {@code AlwaysAllow} it is allowed; with {@code
 *       IfHealthyBudget}, the default, if as many pods are healthy as the budget wants, and it
 *       wants any. Neither is charged to the budget, as the pod was not counted as healthy.
 *   <li>The budget's status is not of its current generation, is broken, or allows nothing:
 *       refused.
 *   <li>Otherwise allowed, and charged to the budget.
 * </ol>
 */
public sealed interface Eviction {
  /** More recorded evictions than this mean that nobody counts them. */
  int MOST_DISRUPTED_PODS = 2000;

  /** What a refusal by a budget says. */
  String WOULD_VIOLATE = "Cannot evict pod as it would violate the pod's disruption budget.";

  /**
   * Allowed, once the budget's status is written as it is here.
   *
   * @param status one disruption fewer, and the pod among the disrupted
   */
  record Allowed(String budget, Status status) implements Eviction {}

  /**
   * Allowed, without charging a budget.
   *
   * @param onlyUnchanged whether the pod may be deleted only if it has not changed since: if it has
   *     become ready meanwhile, the answer would be another one
   */
  record AllowedWithoutBudget(boolean onlyUnchanged) implements Eviction {}

  /**
   * Refused.
   *
   * @param message what the client is told
   * @param cause the details, as the cause of type {@code DisruptionBudget}; may be empty
   * @param retryAfter how long the client should wait; zero says nothing
   */
  record Refused(Refusal refusal, String message, String cause, Duration retryAfter)
      implements Eviction {}

  /** What kind of refusal, and so what status code. */
  enum Refusal {
    /** The budget does not allow it now: 429. */
    TOO_MANY_REQUESTS,
    /** The budget's status is broken: 403. */
    FORBIDDEN,
    /** Several budgets select the pod: 500. */
    SEVERAL_BUDGETS
  }

  /**
   * Decides.
   *
   * @param budgets the budgets that may select the pod
   */
  static Eviction decide(PodView pod, List<PodDisruptionBudgetView> budgets, Instant now) {
    if (pod.phase().finished() || pod.terminating()) {
      return new AllowedWithoutBudget(false);
    }
    if (pod.phase() == PodPhase.PENDING) {
      return new AllowedWithoutBudget(true);
    }
    List<PodDisruptionBudgetView> own = budgets.stream().filter(b -> b.selects(pod)).toList();
    if (own.isEmpty()) {
      return new AllowedWithoutBudget(false);
    }
    if (own.size() > 1) {
      return new Refused(
          Refusal.SEVERAL_BUDGETS,
          "This pod has more than one PodDisruptionBudget,"
              + " which the eviction subresource does not support.",
          "",
          Duration.ZERO);
    }
    PodDisruptionBudgetView budget = own.getFirst();
    if (!pod.ready() && sparesUnhealthy(budget)) {
      return new AllowedWithoutBudget(true);
    }
    Optional<Refused> refusal = refusal(budget);
    return refusal.isPresent() ? refusal.get() : charge(pod, budget, now);
  }

  private static boolean sparesUnhealthy(PodDisruptionBudgetView budget) {
    Status status = budget.status();
    return budget.unhealthyPodEvictionPolicy() == UnhealthyPodEvictionPolicy.ALWAYS_ALLOW
        || (status.desiredHealthy() > 0 && status.currentHealthy() >= status.desiredHealthy());
  }

  private static Optional<Refused> refusal(PodDisruptionBudgetView budget) {
    Status status = budget.status();
    String named = "The disruption budget " + budget.name();
    if (status.observedGeneration() < budget.generation()) {
      return tooMany(named + " is still being processed by the server.", Duration.ofSeconds(10));
    }
    if (status.disruptionsAllowed() < 0) {
      return forbidden("pdb disruptions allowed is negative");
    }
    if (status.disruptedPods().size() > MOST_DISRUPTED_PODS) {
      return forbidden(
          "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    return status.disruptionsAllowed() > 0
        ? Optional.empty()
        : tooMany(named + whyNone(status), Duration.ZERO);
  }

  private static String whyNone(Status status) {
    Optional<Condition> denied =
        status
            .condition(BudgetConditions.DISRUPTION_ALLOWED)
            .filter(c -> c.status() == ConditionStatus.FALSE && !c.message().isEmpty());
    if (denied.isPresent() && denied.get().reason().equals(BudgetConditions.SYNC_FAILED)) {
      // The counts of a failed sync mean nothing, so they are not named.
      return " does not allow evicting pods currently because it failed sync: "
          + denied.get().message();
    }
    if (status.currentHealthy() <= status.desiredHealthy()) {
      return " needs %d healthy pods and has %d currently"
          .formatted(status.desiredHealthy(), status.currentHealthy());
    }
    return " does not allow evicting pods currently"
        + denied.map(c -> " (" + c.reason() + "): " + c.message()).orElse("");
  }

  private static Optional<Refused> tooMany(String cause, Duration retryAfter) {
    return Optional.of(new Refused(Refusal.TOO_MANY_REQUESTS, WOULD_VIOLATE, cause, retryAfter));
  }

  private static Optional<Refused> forbidden(String message) {
    return Optional.of(new Refused(Refusal.FORBIDDEN, message, "", Duration.ZERO));
  }

  private static Allowed charge(PodView pod, PodDisruptionBudgetView budget, Instant now) {
    Status before = budget.status();
    SortedMap<String, Instant> disrupted = new TreeMap<>(before.disruptedPods());
    disrupted.put(pod.name(), now);
    Status charged =
        before.withDisruptions(
            before.disruptionsAllowed() - 1, Collections.unmodifiableSortedMap(disrupted));
    return new Allowed(budget.name(), BudgetConditions.disruptionAllowed(charged, now));
  }
}
