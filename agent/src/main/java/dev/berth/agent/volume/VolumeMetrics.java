package dev.berth.agent.volume;

import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * How full the volumes of claims are, under a kubelet's names. One that several pods mount is told
 * once.
 */
public final class VolumeMetrics {
  private static final List<String> LABELS = List.of("namespace", "persistentvolumeclaim");

  private final VolumeReports volumes;
  private final Supplier<List<JsonObject>> pods;

  private VolumeMetrics(VolumeReports volumes, Supplier<List<JsonObject>> pods) {
    this.volumes = volumes;
    this.pods = pods;
  }

  /**
   * Has them shown.
   *
   * @param pods all of the node
   */
  public static void show(Metrics metrics, VolumeReports volumes, Supplier<List<JsonObject>> pods) {
    VolumeMetrics shown = new VolumeMetrics(volumes, pods);
    shown.show(
        metrics,
        "capacity_bytes",
        "Capacity in bytes of the volume",
        stats -> stats.space().capacityBytes());
    shown.show(
        metrics,
        "available_bytes",
        "Number of available bytes in the volume",
        stats -> stats.space().availableBytes());
    shown.show(
        metrics, "used_bytes", "Number of used bytes in the volume", stats -> stats.used().bytes());
    shown.show(
        metrics,
        "inodes",
        "Maximum number of inodes in the volume",
        stats -> stats.space().inodes());
    shown.show(
        metrics,
        "inodes_free",
        "Number of free inodes in the volume",
        stats -> stats.space().inodesFree());
    shown.show(
        metrics,
        "inodes_used",
        "Number of used inodes in the volume",
        stats -> stats.used().inodes());
  }

  private void show(Metrics metrics, String name, String help, ToLongFunction<VolumeStats> figure) {
    metrics.lookedUp(
        "kubelet_volume_stats_" + name,
        help,
        LABELS,
        action ->
            ofClaims()
                .forEach((claim, stats) ->
                    action.accept(
                        List.of(claim.namespace(), claim.name()),
                        (double) figure.applyAsLong(stats))));
  }

  private Map<ObjectName, VolumeStats> ofClaims() {
    Map<ObjectName, VolumeStats> found = new LinkedHashMap<>();
    for (JsonObject pod : pods.get()) {
      for (VolumeStats each : volumes.stats(pod)) {
        each.claim().ifPresent(claim -> found.putIfAbsent(claim, each));
      }
    }
    return found;
  }
}
