package dev.berth.scheduler.plugin.volume;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.ClaimInfo;
import dev.berth.scheduler.cluster.volume.PodClaim;
import dev.berth.scheduler.cluster.volume.StorageClassInfo;
import dev.berth.scheduler.cluster.volume.VolumeInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the volumes of each CSI driver on a node within what the node's CSINode says can be
 * attached. A volume that several pods use is attached once; one that is attached to the node
 * counts even if no pod uses it. A claim that has no volume yet counts as one of the driver that
 * will make it. Claims that do not exist are for {@link VolumeBinding} to refuse.
 */
public final class NodeVolumeLimits implements FilterPlugin {
  public static final String NAME = "NodeVolumeLimits";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER)
          .factory((_, _) -> new NodeVolumeLimits());

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.CLAIM_CHANGED,
        ClusterEventKind.VOLUME_CHANGED,
        ClusterEventKind.CSI_CHANGED);
  }

  /** A pod that leaves helps if it used volumes. */
  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return event instanceof ClusterEvent.PodEvent left
        ? left.before() == null || !PodClaim.of(left.before()).isEmpty()
        : VolumeHints.mayHelp(event, pod);
  }

  @Override
  public boolean looksAtOneNode() {
    return true;
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    Map<String, String> wanted = new HashMap<>();
    addVolumes(pod, cluster, wanted);
    return wanted.isEmpty() ? null : new Limited(cluster, wanted);
  }

  /** Adds the volumes that a pod uses, with their drivers. */
  private static void addVolumes(PodInfo pod, Cluster cluster, Map<String, String> volumes) {
    for (PodClaim claim : PodClaim.of(pod)) {
      ClaimInfo info = cluster.volumes().claim(claim.name());
      if (info != null) {
        addVolume(info, cluster, volumes);
      }
    }
  }

  private static void addVolume(ClaimInfo claim, Cluster cluster, Map<String, String> volumes) {
    VolumeInfo volume = claim.volume().isEmpty() ? null : cluster.volumes().volume(claim.volume());
    if (volume != null) {
      if (!volume.driver().isEmpty()) {
        volumes.put(volume.driver() + "/" + volume.handle(), volume.driver());
      }
      return;
    }
    StorageClassInfo storageClass = cluster.volumes().storageClass(claim.storageClass());
    if (storageClass != null && !storageClass.provisioner().isEmpty()) {
      volumes.put(
          storageClass.provisioner() + "/claim " + claim.name(), storageClass.provisioner());
    }
  }

  /** Looks at the cluster each time, so that it follows what is taken off nodes. */
  private record Limited(Cluster cluster, Map<String, String> wanted) implements NodeFilter {

    @Override
    public boolean allows(int node) {
      Map<String, Long> limits = limits(node);
      if (limits.isEmpty()) {
        return true;
      }
      Map<String, String> attached = attached(node);
      for (Map.Entry<String, Long> limit : limits.entrySet()) {
        String driver = limit.getKey();
        Set<String> all = new HashSet<>();
        wanted.forEach((volume, of) -> addIf(of.equals(driver), volume, all));
        if (attached.keySet().containsAll(all)) {
          continue;
        }
        attached.forEach((volume, of) -> addIf(of.equals(driver), volume, all));
        if (all.size() > limit.getValue()) {
          return false;
        }
      }
      return true;
    }

    private static void addIf(boolean really, String volume, Set<String> all) {
      if (really) {
        all.add(volume);
      }
    }

    /** What a node can take of the drivers that matter. */
    private Map<String, Long> limits(int node) {
      Map<String, Long> limits = new HashMap<>();
      for (JsonObject driver :
          cluster.volumes().csiDriversOn(cluster.node(node).name()).objects()) {
        OptionalLong count = driver.object("allocatable").integer("count");
        String name = driver.text("name", "");
        if (count.isPresent() && wanted.containsValue(name)) {
          limits.put(name, count.getAsLong());
        }
      }
      return limits;
    }

    private Map<String, String> attached(int node) {
      Map<String, String> attached = new HashMap<>();
      for (PodInfo pod : cluster.pods(node)) {
        addVolumes(pod, cluster, attached);
      }
      for (JsonObject attachment : cluster.volumes().attachmentsTo(cluster.node(node).name())) {
        JsonObject spec = attachment.object("spec");
        String name = spec.object("source").text("persistentVolumeName", "");
        VolumeInfo volume = cluster.volumes().volume(name);
        if (volume != null && !volume.driver().isEmpty()) {
          attached.put(volume.driver() + "/" + volume.handle(), volume.driver());
        }
      }
      return attached;
    }

    @Override
    public Refusal refusal(int node) {
      return VolumeRefusal.resolvable(NAME, "node(s) exceed max volume count");
    }
  }
}
