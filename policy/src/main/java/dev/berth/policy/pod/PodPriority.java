package dev.berth.policy.pod;

import dev.berth.model.core.PodView;
import dev.berth.model.meta.WellKnownAnnotations;

/** Which pods the cluster cannot do without. */
public final class PodPriority {
  /** The least priority of the classes that Kubernetes keeps for itself. */
  public static final long SYSTEM_CRITICAL = 2_000_000_000L;

  private PodPriority() {}

  /** Whether a pod ends last: its priority is the system's, or its node runs it from a file. */
  public static boolean isCritical(PodView pod) {
    return pod.spec().priority() >= SYSTEM_CRITICAL
        || pod.hasAnnotation(WellKnownAnnotations.CONFIG_MIRROR);
  }
}
