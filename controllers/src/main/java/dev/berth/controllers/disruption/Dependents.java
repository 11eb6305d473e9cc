package dev.berth.controllers.disruption;

import dev.berth.model.resource.ObjectName;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which budgets were counted by which controllers' replicas. */
final class Dependents {
  private final Map<String, Set<ObjectName>> budgets = new HashMap<>();
  private final Map<ObjectName, Set<String>> controllers = new HashMap<>();

  /** Says by which controllers a budget was counted last; none forgets it. */
  void set(ObjectName budget, Set<String> uids) {
    Set<String> before =
        uids.isEmpty() ? controllers.remove(budget) : controllers.put(budget, uids);
    if (uids.equals(before)) {
      return;
    }
    if (before != null) {
      for (String uid : before) {
        Set<ObjectName> others = budgets.getOrDefault(uid, Set.of());
        if (others.remove(budget) && others.isEmpty()) {
          budgets.remove(uid);
        }
      }
    }
    uids.forEach(uid -> budgets.computeIfAbsent(uid, _ -> new LinkedHashSet<>()).add(budget));
  }

  Set<ObjectName> of(String controllerUid) {
    return budgets.getOrDefault(controllerUid, Set.of());
  }
}
