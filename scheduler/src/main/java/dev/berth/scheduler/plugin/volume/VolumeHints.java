package dev.berth.scheduler.plugin.volume;

import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.PodClaim;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.ObjectEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;

/** What may help a pod whose volumes keep it off nodes. */
final class VolumeHints {
  private VolumeHints() {}

  /** Of claims, only a pod's own help it; anything else may. */
  static boolean mayHelp(ClusterEvent event, PodInfo pod) {
    return event.kind() != ClusterEventKind.CLAIM_CHANGED
        || !(event instanceof ObjectEvent changed)
        || PodClaim.of(pod).stream().anyMatch(claim -> claim.name().equals(changed.name()));
  }
}
