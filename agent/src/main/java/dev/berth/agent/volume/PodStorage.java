package dev.berth.agent.volume;

import dev.berth.agent.runtime.PodUsage;
import dev.berth.policy.localstorage.LocalStorageUse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what a pod takes of its node's own storage: volumes, roots and logs. */
public final class PodStorage {
  private PodStorage() {}

  /**
   * Adds up.
   *
   * @param volumes of the pod, by {@link VolumeReports#stats}
   * @param usage of its containers, by the runtime
   */
  public static LocalStorageUse of(List<VolumeStats> volumes, PodUsage usage) {
    Map<String, Long> byVolume = new HashMap<>();
    long total = 0;
    for (VolumeStats volume : volumes) {
      byVolume.put(volume.name(), volume.used().bytes());
      total += volume.isLocalStorage() ? volume.used().bytes() : 0;
    }
    Map<String, Long> byContainer = new HashMap<>();
    for (PodUsage.OfContainer container : usage.containers()) {
      long written = container.rootBytes() + container.logBytes();
      byContainer.put(container.name(), written);
      total += written;
    }
    return new LocalStorageUse(byVolume, byContainer, total);
  }
}
