package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;

/** What the probes of a container have found out. */
public record Probed(ProbeResult startup, ProbeResult liveness, ProbeResult readiness) {
  public static final Probed NOTHING =
      new Probed(ProbeResult.UNKNOWN, ProbeResult.UNKNOWN, ProbeResult.UNKNOWN);

  /** Whether a container that runs has started. */
  boolean hasStarted(ContainerRules container) {
    return !container.hasStartupProbe() || startup == ProbeResult.SUCCESS;
  }

  /** Whether a container that runs is ready. */
  boolean isReady(ContainerRules container) {
    return hasStarted(container)
        && (!container.hasReadinessProbe() || readiness == ProbeResult.SUCCESS);
  }
}
