package dev.berth.model.disruption;

import dev.berth.model.core.Condition;
import dev.berth.model.core.IntOrPercent;
import dev.berth.model.core.PodView;
import dev.berth.model.core.Views;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.WireTime;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A PodDisruptionBudget: how many of some pods must stay available, and how many are.
 *
 * @param selector which pods of the namespace; one that cannot be read selects none
 * @param minAvailable null if the budget is given the other way, or not at all
 * @param maxUnavailable null if the budget is given the other way, or not at all
 */
public record PodDisruptionBudgetView(
    String namespace,
    String name,
    long generation,
    LabelSelector selector,
    @Nullable IntOrPercent minAvailable,
    @Nullable IntOrPercent maxUnavailable,
    UnhealthyPodEvictionPolicy unhealthyPodEvictionPolicy,
    Status status) {
  /** The condition that says whether a budget allows disruptions. */
  public static final String DISRUPTION_ALLOWED = "DisruptionAllowed";

  public static PodDisruptionBudgetView read(JsonObject budget) {
    JsonObject metadata = budget.object("metadata");
    JsonObject spec = budget.object("spec");
    return new PodDisruptionBudgetView(
        metadata.text("namespace", ""),
        metadata.text("name", ""),
        metadata.integer("generation").orElse(0),
        selector(spec.get("selector")),
        IntOrPercent.read(spec, "minAvailable").orElse(null),
        IntOrPercent.read(spec, "maxUnavailable").orElse(null),
        UnhealthyPodEvictionPolicy.of(spec.text("unhealthyPodEvictionPolicy", "")),
        Status.read(budget.object("status")));
  }

  private static LabelSelector selector(@Nullable Object tree) {
    try {
      return LabelSelector.fromTree(tree);
    } catch (SelectorException e) {
      return LabelSelector.NOTHING;
    }
  }

  /** Whether a pod is under this budget. */
  public boolean selects(PodView pod) {
    return namespace.equals(pod.namespace()) && selector.matches(pod.labels());
  }

  /**
   * What the disruption controller counted, less what was evicted since.
   *
   * @param disruptedPods pods whose eviction was allowed and when, until they are seen to go
   */
  public record Status(
      long observedGeneration,
      long disruptionsAllowed,
      long currentHealthy,
      long desiredHealthy,
      long expectedPods,
      SortedMap<String, Instant> disruptedPods,
      List<Condition> conditions) {

    static Status read(JsonObject status) {
      return new Status(
          status.integer("observedGeneration").orElse(0),
          status.integer("disruptionsAllowed").orElse(0),
          status.integer("currentHealthy").orElse(0),
          status.integer("desiredHealthy").orElse(0),
          status.integer("expectedPods").orElse(0),
          times(status.object("disruptedPods")),
          Views.list(status.array("conditions"), Condition::read));
    }

    private static SortedMap<String, Instant> times(JsonObject object) {
      SortedMap<String, Instant> times = new TreeMap<>();
      for (String pod : object.names()) {
        Instant time = WireTime.read(object, pod);
        if (time != null) {
          times.put(pod, time);
        }
      }
      return Collections.unmodifiableSortedMap(times);
    }

    /** The same counts, but for what is allowed and what was. */
    public Status withDisruptions(long allowed, SortedMap<String, Instant> pods) {
      return new Status(
          observedGeneration,
          allowed,
          currentHealthy,
          desiredHealthy,
          expectedPods,
          pods,
          conditions);
    }

    /** The same counts with other conditions. */
    public Status withConditions(List<Condition> others) {
      return new Status(
          observedGeneration,
          disruptionsAllowed,
          currentHealthy,
          desiredHealthy,
          expectedPods,
          disruptedPods,
          List.copyOf(others));
    }

    /**
     * A budget's status with this one over it; fields and conditions that this record does not hold
     * stay.
     */
    public JsonObject placeIn(JsonObject status) {
      JsonArray placed = status.array("conditions");
      for (Condition condition : conditions) {
        Instant since = condition.lastTransitionTime();
        JsonObject tree =
            Conditions.condition(
                condition.type(),
                condition.status().text(),
                condition.reason(),
                condition.message());
        if (condition.type().equals(DISRUPTION_ALLOWED) && observedGeneration > 0) {
          tree = tree.with("observedGeneration", observedGeneration);
        }
        placed = Conditions.set(placed, tree, since == null ? Instant.EPOCH : since);
      }
      JsonObject.Builder pods = new JsonObject.Builder();
      disruptedPods.forEach((pod, time) -> pods.putIfPresent(pod, WireTime.text(time)));
      // Servers that leave out what is empty would otherwise seem to have changed it.
      JsonObject counted =
          disruptedPods.isEmpty()
              ? status.without("disruptedPods")
              : status.with("disruptedPods", pods.build());
      return counted
          .with("observedGeneration", observedGeneration)
          .with("disruptionsAllowed", disruptionsAllowed)
          .with("currentHealthy", currentHealthy)
          .with("desiredHealthy", desiredHealthy)
          .with("expectedPods", expectedPods)
          .with("conditions", placed);
    }

    public Optional<Condition> condition(String type) {
      return Condition.find(conditions, type);
    }
  }
}
