package dev.berth.policy.podrun;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A container of a specification, as far as its life is concerned.
 *
 * @param isSidecar an init container that always restarts: it goes on beside the others
 * @param restartPolicy its own; empty if the pod's counts
 * @param startupGraceSeconds how long it gets to end after its startup probe has failed; empty if
 *     the pod's grace period counts
 * @param livenessGraceSeconds likewise for its liveness probe
 */
public record ContainerRules(
    String name,
    String image,
    boolean isSidecar,
    String restartPolicy,
    List<RestartRule> restartRules,
    boolean hasStartupProbe,
    boolean hasLivenessProbe,
    boolean hasReadinessProbe,
    OptionalLong startupGraceSeconds,
    OptionalLong livenessGraceSeconds) {
  private static final String GRACE = "terminationGracePeriodSeconds";
  private static final String ALWAYS = "Always";
  private static final String NEVER = "Never";

  static ContainerRules read(JsonObject container, boolean isInit) {
    String restartPolicy = container.text("restartPolicy", "");
    return new ContainerRules(
        container.text("name", ""),
        container.text("image", ""),
        isInit && restartPolicy.equals(ALWAYS),
        restartPolicy,
        container.array("restartPolicyRules").objects().stream().map(RestartRule::read).toList(),
        container.has("startupProbe"),
        container.has("livenessProbe"),
        container.has("readinessProbe"),
        container.object("startupProbe").integer(GRACE),
        container.object("livenessProbe").integer(GRACE));
  }

  /** The first of its rules that its exit code matches. */
  Optional<RestartRule> rule(int exitCode) {
    return restartRules.stream().filter(rule -> rule.matches(exitCode)).findFirst();
  }

  /**
   * Whether it is started again after it ended: by its rules, else by its own restart policy, else
   * by its pod's.
   */
  boolean restartsAfter(int exitCode, String podsPolicy) {
    if (!restartPolicy.isEmpty() && rule(exitCode).filter(RestartRule::restarts).isPresent()) {
      return true;
    }
    return switch (policy(podsPolicy)) {
      case NEVER -> false;
      case "OnFailure" -> exitCode != 0;
      default -> true;
    };
  }

  /** Whether it is started again after its node killed it, so that its exit code says nothing. */
  boolean restartsAfterKill(String podsPolicy) {
    return !policy(podsPolicy).equals(NEVER);
  }

  private String policy(String podsPolicy) {
    return restartPolicy.isEmpty() ? podsPolicy : restartPolicy;
  }

  boolean restartsAllAfter(int exitCode) {
    return rule(exitCode).filter(RestartRule::restartsAll).isPresent();
  }
}
