package dev.berth.access.rbac;

import static dev.berth.access.rbac.PolicyRule.ALL;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What somebody would have to hold in order to give it to others, and does not. Rules are broken
 * into the smallest ones, each with one verb on one thing, so that one rule of the owner covers
 * such a rule wholly or not at all.
 */
final class RuleCoverage {
  private RuleCoverage() {}

  /** The smallest rules that no rule of the owner covers. */
  static List<PolicyRule> missing(List<PolicyRule> owned, List<PolicyRule> wanted) {
    List<PolicyRule> missing = new ArrayList<>();
    for (PolicyRule rule : wanted) {
      for (PolicyRule smallest : broken(rule)) {
        if (owned.stream().noneMatch(owner -> covers(owner, smallest))) {
          missing.add(smallest);
        }
      }
    }
    return missing;
  }

  static List<PolicyRule> broken(PolicyRule rule) {
    List<PolicyRule> broken = new ArrayList<>();
    for (String group : rule.apiGroups()) {
      for (String resource : rule.resources()) {
        for (String verb : rule.verbs()) {
          if (rule.resourceNames().isEmpty()) {
            broken.add(smallest(group, resource, verb, List.of()));
          }
          for (String name : rule.resourceNames()) {
            broken.add(smallest(group, resource, verb, List.of(name)));
          }
        }
      }
    }
    for (String url : rule.nonResourceUrls()) {
      for (String verb : rule.verbs()) {
        broken.add(PolicyRule.onPaths(List.of(verb), List.of(url)));
      }
    }
    return broken;
  }

  private static PolicyRule smallest(
      String group, String resource, String verb, List<String> names) {
    return new PolicyRule(List.of(verb), List.of(group), List.of(resource), names, List.of());
  }

  private static boolean covers(PolicyRule owner, PolicyRule smallest) {
    return coversAll(owner.verbs(), smallest.verbs())
        && coversAll(owner.apiGroups(), smallest.apiGroups())
        && smallest.resources().stream().allMatch(r -> coversResource(owner.resources(), r))
        && coversNames(owner.resourceNames(), smallest.resourceNames())
        && smallest.nonResourceUrls().stream()
            .allMatch(path ->
                owner.nonResourceUrls().stream().anyMatch(url -> PolicyRule.covers(url, path)));
  }

  private static boolean coversAll(List<String> owned, List<String> wanted) {
    return owned.contains(ALL) || owned.containsAll(wanted);
  }

  private static boolean coversResource(List<String> owned, String wanted) {
    int slash = wanted.indexOf('/');
    return owned.contains(ALL)
        || owned.contains(wanted)
        || (slash >= 0 && owned.contains(ALL + wanted.substring(slash)));
  }

  /** Who may do it with some objects may not let others do it with all. */
  private static boolean coversNames(List<String> owned, List<String> wanted) {
    return owned.isEmpty() || (!wanted.isEmpty() && owned.containsAll(wanted));
  }

  /** The smallest rules again, those that differ in nothing but the verb put together. */
  static List<PolicyRule> compact(List<PolicyRule> smallest) {
    Map<PolicyRule, List<String>> verbs = new LinkedHashMap<>();
    for (PolicyRule rule : smallest) {
      verbs
          .computeIfAbsent(withVerbs(rule, List.of()), _ -> new ArrayList<>())
          .addAll(rule.verbs());
    }
    List<PolicyRule> compact = new ArrayList<>();
    verbs.forEach((rule, all) -> compact.add(withVerbs(rule, all)));
    return compact;
  }

  private static PolicyRule withVerbs(PolicyRule rule, List<String> verbs) {
    return new PolicyRule(
        verbs, rule.apiGroups(), rule.resources(), rule.resourceNames(), rule.nonResourceUrls());
  }
}
