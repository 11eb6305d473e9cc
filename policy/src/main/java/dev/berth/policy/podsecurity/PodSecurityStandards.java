package dev.berth.policy.podsecurity;

import dev.berth.model.security.PodSecurityView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The three levels of the Pod Security Standards as of each version of Kubernetes: privileged
 * allows everything, baseline what is not known to be an escalation, restricted what is good
 * practice.
 */
public final class PodSecurityStandards {
  private PodSecurityStandards() {}

  /** What a pod violates, in upstream's order: first of baseline, then of restricted. */
  public static List<Violation> violations(LevelVersion standard, PodSecurityView pod) {
    if (standard.level() == SecurityLevel.PRIVILEGED) {
      return List.of();
    }
    List<SecurityCheck> checks = new ArrayList<>(BaselineChecks.ALL);
    if (standard.level() == SecurityLevel.RESTRICTED) {
      checks.addAll(RestrictedChecks.ALL);
    }
    Set<String> overridden = new HashSet<>();
    for (SecurityCheck check : checks) {
      if (check.at(standard.minor()).isPresent()) {
        overridden.add(check.overrides());
      }
    }
    return checks.stream()
        .filter(check -> !overridden.contains(check.id()))
        .map(check -> check.at(standard.minor()))
        .flatMap(Optional::stream)
        .map(rule -> rule.check(pod))
        .flatMap(Optional::stream)
        .toList();
  }
}
