package dev.berth.serving.audit;

import dev.berth.access.Action;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.user.User;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what is recorded of which request: the first rule that matches does. */
public final class AuditPolicy {

  /**
   * Who did what, of each request once it has ended, and of a watch also when it has begun.
   * Kubernetes records nothing without a policy.
   */
  public static final AuditPolicy METADATA =
      new AuditPolicy(
          List.of(),
          new AuditDecision(
              AuditLevel.METADATA, Set.of(AuditStage.REQUEST_RECEIVED), false, false));

  private final List<AuditRule> rules;
  private final AuditDecision otherwise;

  /**
   * @param otherwise what is recorded of requests that no rule matches
   */
  AuditPolicy(List<AuditRule> rules, AuditDecision otherwise) {
    this.rules = List.copyOf(rules);
    this.otherwise = otherwise;
  }

  /** Reads a Policy of {@code audit.k8s.io/v1}; whatever is wrong with it is reported at once. */
  public static AuditPolicy read(Path file) {
    return ConfigFile.read(file, "audit.k8s.io/v1", "Policy", AuditPolicyReader::read);
  }

  /**
   * What is recorded of a request.
   *
   * @param user who sent it; null if nobody knows
   */
  AuditDecision decide(@Nullable User user, Action action) {
    for (AuditRule rule : rules) {
      if (rule.matches(user, action)) {
        return rule.decision();
      }
    }
    return otherwise;
  }
}
