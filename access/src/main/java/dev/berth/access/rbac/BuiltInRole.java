package dev.berth.access.rbac;

import dev.berth.access.Action;
import java.util.List;

/** A role as every cluster has it at its beginning, whatever became of it there. */
public record BuiltInRole(List<PolicyRule> rules) {

  public BuiltInRole {
    rules = List.copyOf(rules);
  }

  /** The cluster role of a name. */
  public static BuiltInRole named(String name) {
    return BootstrapPolicy.read().stream()
        .filter(declared -> declared.plural().equals("clusterroles"))
        .filter(declared -> declared.name().name().equals(name))
        .findFirst()
        .map(declared -> new BuiltInRole(PolicyRule.ofRole(declared.object())))
        .orElseThrow(() -> new IllegalArgumentException("no built-in cluster role " + name));
  }

  public boolean allows(Action action) {
    return rules.stream().anyMatch(rule -> rule.allows(action));
  }
}
