package dev.berth.scheduler.preemption;

import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The disruption budgets of a cluster, by namespace. Preemption honours them as far as it can:
 * where there is a choice, it takes the victims that no budget keeps.
 */
public final class Budgets {
  private final Map<String, Map<String, PodDisruptionBudgetView>> byNamespace = new HashMap<>();
  private long selections;
  private long changes;

  public void put(JsonObject tree) {
    PodDisruptionBudgetView budget = PodDisruptionBudgetView.read(tree);
    PodDisruptionBudgetView before =
        byNamespace
            .computeIfAbsent(budget.namespace(), _ -> new TreeMap<>())
            .put(budget.name(), budget);
    changes++;
    if (before == null || !before.selector().equals(budget.selector())) {
      selections++;
    }
  }

  public void remove(ObjectName name) {
    Map<String, PodDisruptionBudgetView> there = byNamespace.get(name.namespace());
    if (there != null && there.remove(name.name()) != null) {
      changes++;
      selections++;
      if (there.isEmpty()) {
        byNamespace.remove(name.namespace());
      }
    }
  }

  /** The budgets of a namespace, in the order of their names. */
  Collection<PodDisruptionBudgetView> in(String namespace) {
    Map<String, PodDisruptionBudgetView> there = byNamespace.get(namespace);
    return there == null ? List.of() : there.values();
  }

  /** Grows with every change. */
  long changes() {
    return changes;
  }

  /** Grows when other pods are under a budget than before. */
  long selections() {
    return selections;
  }
}
