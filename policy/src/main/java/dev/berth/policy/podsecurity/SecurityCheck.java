package dev.berth.policy.podsecurity;

import dev.berth.model.security.PodSecurityView;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One thing that is looked at, and how each version of Kubernetes does.
 *
 * @param overrides the check of the weaker level that this one makes needless; empty if none
 * @param rules by the minor version that they begin with
 */
record SecurityCheck(String id, String overrides, NavigableMap<Integer, Rule> rules) {

  /** What a version demands. */
  @FunctionalInterface
  interface Rule {
    Optional<Violation> check(PodSecurityView pod);

    /** The same, but a pod of Windows has none of it. */
    default Rule exceptWindows() {
      return pod -> pod.windows() ? Optional.empty() : check(pod);
    }

    /** The same, but a pod with users of its own may do as it likes. */
    default Rule exceptUserNamespaces() {
      return pod -> pod.ownUsers() ? Optional.empty() : check(pod);
    }
  }

  static SecurityCheck of(String id, Map<Integer, Rule> rules) {
    return new SecurityCheck(id, "", new TreeMap<>(rules));
  }

  SecurityCheck insteadOf(String other) {
    return new SecurityCheck(id, other, rules);
  }

  /** The rule as of a version, if it has one. */
  Optional<Rule> at(int minor) {
    return Optional.ofNullable(rules.floorEntry(minor)).map(Map.Entry::getValue);
  }
}
