package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.util.List;
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

  static ContainerRules read(JsonObject container, boolean isInit) {
    String restartPolicy = container.text("restartPolicy", "");
    return new ContainerRules(
        container.text("name", ""),
        container.text("image", ""),
        isInit && restartPolicy.equals("Always"),
        restartPolicy,
        container.array("restartPolicyRules").objects().stream().map(RestartRule::read).toList(),
        container.has("startupProbe"),
        container.has("livenessProbe"),
        container.has("readinessProbe"),
        container.object("startupProbe").integer(GRACE),
        container.object("livenessProbe").integer(GRACE));
  }
}
