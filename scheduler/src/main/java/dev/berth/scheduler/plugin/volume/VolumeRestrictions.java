package dev.berth.scheduler.plugin.volume;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.ClaimInfo;
import dev.berth.scheduler.cluster.volume.PodClaim;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pods from sharing what cannot be shared.
 *
 * <ol>
 *   <li>A claim with the mode ReadWriteOncePod, if a pod anywhere uses it.
 *   <li>On one node, disks that pods name themselves: the same Google disk, iSCSI target or Ceph
 *       image, unless all only read it; the same Amazon disk in any case.
 * </ol>
 */
public final class VolumeRestrictions implements FilterPlugin {
  public static final String NAME = "VolumeRestrictions";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER)
          .factory((_, _) -> new VolumeRestrictions());

  private static final List<String> DISKS =
      List.of("gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED, ClusterEventKind.POD_GONE, ClusterEventKind.CLAIM_CHANGED);
  }

  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return VolumeHints.mayHelp(event, pod);
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    List<ObjectName> exclusive = new ArrayList<>();
    for (PodClaim claim : PodClaim.of(pod)) {
      if (!claim.ephemeral()) {
        ClaimInfo info = cluster.volumes().claim(claim.name());
        if (info == null) {
          return VolumeRefusal.ofPod(NAME, claim.notFound()).everywhere();
        }
        if (info.isForOnePod()) {
          exclusive.add(claim.name());
        }
      }
    }
    List<JsonObject> disks = disksOf(pod);
    boolean inUse = exclusive.stream().anyMatch(claim -> cluster.volumes().usersOf(claim) > 0);
    return disks.isEmpty() && !inUse ? null : new Restricted(cluster, exclusive, disks);
  }

  private static List<JsonObject> disksOf(PodInfo pod) {
    List<JsonObject> disks = new ArrayList<>();
    for (JsonObject volume : pod.tree().object("spec").array("volumes").objects()) {
      if (DISKS.stream().anyMatch(volume::has)) {
        disks.add(volume);
      }
    }
    return disks;
  }

  /** Looks at the cluster each time, so that it follows what is taken off nodes. */
  private record Restricted(Cluster cluster, List<ObjectName> exclusive, List<JsonObject> disks)
      implements NodeFilter {

    @Override
    public boolean allows(int node) {
      return !diskInUse(node) && !claimInUse();
    }

    private boolean claimInUse() {
      for (ObjectName claim : exclusive) {
        if (cluster.volumes().usersOf(claim) > 0) {
          return true;
        }
      }
      return false;
    }

    private boolean diskInUse(int node) {
      if (disks.isEmpty()) {
        return false;
      }
      for (PodInfo other : cluster.pods(node)) {
        for (JsonObject used : disksOf(other)) {
          for (JsonObject disk : disks) {
            if (conflict(disk, used)) {
              return true;
            }
          }
        }
      }
      return false;
    }

    @Override
    public Refusal refusal(int node) {
      return VolumeRefusal.resolvable(
          NAME,
          diskInUse(node)
              ? "node(s) had no available disk"
              : "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod"
                  + " access mode");
    }
  }

  private static boolean conflict(JsonObject a, JsonObject b) {
    return (same(a, b, "gcePersistentDisk", "pdName") && !bothOnlyRead(a, b, "gcePersistentDisk"))
        || same(a, b, "awsElasticBlockStore", "volumeID")
        || (same(a, b, "iscsi", "iqn") && !bothOnlyRead(a, b, "iscsi"))
        || (sameImage(a, b) && !bothOnlyRead(a, b, "rbd"));
  }

  private static boolean same(JsonObject a, JsonObject b, String kind, String field) {
    return a.has(kind)
        && b.has(kind)
        && a.object(kind).text(field, "").equals(b.object(kind).text(field, ""));
  }

  private static boolean sameImage(JsonObject a, JsonObject b) {
    return same(a, b, "rbd", "image")
        && a.object("rbd").text("pool", "rbd").equals(b.object("rbd").text("pool", "rbd"))
        && !Collections.disjoint(
            a.object("rbd").array("monitors").texts(), b.object("rbd").array("monitors").texts());
  }

  private static boolean bothOnlyRead(JsonObject a, JsonObject b, String kind) {
    return a.object(kind).flag("readOnly", false) && b.object(kind).flag("readOnly", false);
  }
}
