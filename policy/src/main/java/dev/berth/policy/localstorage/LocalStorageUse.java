package dev.berth.policy.localstorage;

import java.util.Map;

/**
 * What a pod takes of its node's own storage, in bytes.
 *
 * @param volumes by the names of its volumes
 * @param containers by their names: what they wrote to their root and to their log
 * @param total of all that counts as the pod's, volumes in memory left out
 */
public record LocalStorageUse(Map<String, Long> volumes, Map<String, Long> containers, long total) {
  public LocalStorageUse {
    volumes = Map.copyOf(volumes);
    containers = Map.copyOf(containers);
  }
}
