package dev.berth.agent.eviction;

import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.volume.DiskUsage;
import dev.berth.policy.pressure.Observation;
import dev.berth.policy.pressure.Signal;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was seen of a machine and its pods in one look.
 *
 * @param hasImageFilesystem whether images and containers are on another file system than volumes
 *     and logs
 * @param usage of pods, by their uid
 * @param volumes of pods, by their uid and by the volume's name
 */
public record ResourceSnapshot(
    Map<Signal, Observation> signals,
    boolean hasImageFilesystem,
    Map<String, PodUsage> usage,
    Map<String, Map<String, DiskUsage>> volumes) {

  public ResourceSnapshot {
    signals = new EnumMap<>(signals);
    usage = new LinkedHashMap<>(usage);
    volumes = new LinkedHashMap<>(volumes);
  }
}
