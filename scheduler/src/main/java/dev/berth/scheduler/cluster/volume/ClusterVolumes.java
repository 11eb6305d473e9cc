package dev.berth.scheduler.cluster.volume;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PlacedPods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Volumes, claims and what else decides where a pod's volumes can be. What a plan is about to write
 * is assumed to be written: until it is seen to be, or the plan is given up.
 */
public final class ClusterVolumes {
  private final ClaimUsers users;
  private final Map<String, VolumeInfo> volumes = new HashMap<>();
  private final Map<String, TreeMap<String, VolumeInfo>> byClass = new HashMap<>();
  private final Map<ObjectName, ClaimInfo> claims = new HashMap<>();
  private final Map<String, VolumeInfo> assumedVolumes = new HashMap<>();
  private final Map<ObjectName, ClaimInfo> assumedClaims = new HashMap<>();
  private final Map<String, StorageClassInfo> classes = new HashMap<>();
  private final Map<String, JsonObject> csiNodes = new HashMap<>();
  private final Map<String, JsonObject> csiDrivers = new HashMap<>();
  private final Map<ObjectName, JsonObject> capacities = new TreeMap<>();
  private final Map<String, JsonObject> attachments = new HashMap<>();
  private final Map<String, TreeMap<String, JsonObject>> attachmentsByNode = new HashMap<>();

  public ClusterVolumes(PlacedPods pods) {
    this.users = new ClaimUsers(pods);
  }

  // Persistent volumes.

  public void putVolume(JsonObject tree) {
    VolumeInfo volume = VolumeInfo.read(tree);
    forgetVolume(volume.name());
    volumes.put(volume.name(), volume);
    byClass.computeIfAbsent(volume.storageClass(), _ -> new TreeMap<>()).put(volume.name(), volume);
    VolumeInfo assumed = assumedVolumes.get(volume.name());
    if (assumed != null && volume.claim() != null && !volume.claimUid().isEmpty()) {
      assumedVolumes.remove(volume.name());
    }
  }

  public void removeVolume(String name) {
    forgetVolume(name);
    assumedVolumes.remove(name);
  }

  private void forgetVolume(String name) {
    VolumeInfo known = volumes.remove(name);
    if (known != null) {
      byClass.getOrDefault(known.storageClass(), new TreeMap<>()).remove(name);
    }
  }

  /** A volume, as it will be; null if there is none. */
  public @Nullable VolumeInfo volume(String name) {
    VolumeInfo assumed = assumedVolumes.get(name);
    return assumed == null ? volumes.get(name) : assumed;
  }

  /** A volume as it was last seen. */
  public @Nullable VolumeInfo seenVolume(String name) {
    return volumes.get(name);
  }

  public boolean isAssumedVolume(String name) {
    return assumedVolumes.containsKey(name);
  }

  /** The volumes of a class as they will be, in the order of their names. */
  public List<VolumeInfo> volumesOf(String storageClass) {
    List<VolumeInfo> found = new ArrayList<>();
    for (VolumeInfo volume : byClass.getOrDefault(storageClass, new TreeMap<>()).values()) {
      found.add(assumedVolumes.getOrDefault(volume.name(), volume));
    }
    return found;
  }

  // Claims.

  public void putClaim(JsonObject tree) {
    ClaimInfo claim = ClaimInfo.read(tree);
    claims.put(claim.name(), claim);
    ClaimInfo assumed = assumedClaims.get(claim.name());
    if (assumed != null
        && (!assumed.uid().equals(claim.uid())
            || claim.selectedNode().equals(assumed.selectedNode())
            || !claim.volume().isEmpty())) {
      assumedClaims.remove(claim.name());
    }
  }

  public void removeClaim(ObjectName name) {
    claims.remove(name);
    assumedClaims.remove(name);
  }

  /** A claim, as it will be; null if there is none. */
  public @Nullable ClaimInfo claim(ObjectName name) {
    ClaimInfo assumed = assumedClaims.get(name);
    return assumed == null ? claims.get(name) : assumed;
  }

  /** A claim as it was last seen. */
  public @Nullable ClaimInfo seenClaim(ObjectName name) {
    return claims.get(name);
  }

  public boolean isAssumedClaim(ObjectName name) {
    return assumedClaims.containsKey(name);
  }

  /** How many pods on nodes name a claim in their volumes. */
  public int usersOf(ObjectName claim) {
    return users.of(claim);
  }

  // Plans.

  /** From now on, what a plan is about to write counts as written. */
  public void assume(VolumePlan plan) {
    for (VolumePlan.Write write : plan.writes()) {
      switch (write) {
        case VolumePlan.BindVolume(String volume, ObjectName _, JsonObject tree) ->
            assumedVolumes.put(volume, VolumeInfo.read(tree));
        case VolumePlan.SelectNode(ObjectName claim, String _, JsonObject tree) ->
            assumedClaims.put(claim, ClaimInfo.read(tree));
      }
    }
  }

  /** Forgets what of a plan has not been seen to be written. */
  public void forget(VolumePlan plan) {
    for (VolumePlan.Write write : plan.writes()) {
      switch (write) {
        case VolumePlan.BindVolume(String volume, ObjectName claim, JsonObject _) -> {
          VolumeInfo assumed = assumedVolumes.get(volume);
          if (assumed != null && claim.equals(assumed.claim())) {
            assumedVolumes.remove(volume);
          }
        }
        case VolumePlan.SelectNode(ObjectName claim, String node, JsonObject _) -> {
          ClaimInfo assumed = assumedClaims.get(claim);
          if (assumed != null && assumed.selectedNode().equals(node)) {
            assumedClaims.remove(claim);
          }
        }
      }
    }
  }

  // What else there is.

  public void putStorageClass(JsonObject tree) {
    StorageClassInfo read = StorageClassInfo.read(tree);
    classes.put(read.name(), read);
  }

  public void removeStorageClass(String name) {
    classes.remove(name);
  }

  public @Nullable StorageClassInfo storageClass(String name) {
    return classes.get(name);
  }

  public void putCsiNode(JsonObject tree) {
    csiNodes.put(ObjectName.of(tree).name(), tree);
  }

  public void removeCsiNode(String name) {
    csiNodes.remove(name);
  }

  /** The drivers of a node; none if nothing is known of it. */
  public JsonArray csiDriversOn(String node) {
    return csiNodes.getOrDefault(node, JsonObject.EMPTY).object("spec").array("drivers");
  }

  public void putCsiDriver(JsonObject tree) {
    csiDrivers.put(ObjectName.of(tree).name(), tree);
  }

  public void removeCsiDriver(String name) {
    csiDrivers.remove(name);
  }

  /** Whether a driver publishes its capacity. */
  public boolean tracksCapacity(String driver) {
    return csiDrivers
        .getOrDefault(driver, JsonObject.EMPTY)
        .object("spec")
        .flag("storageCapacity", false);
  }

  public void putStorageCapacity(JsonObject tree) {
    capacities.put(ObjectName.of(tree), tree);
  }

  public void removeStorageCapacity(ObjectName name) {
    capacities.remove(name);
  }

  public Collection<JsonObject> storageCapacities() {
    return capacities.values();
  }

  public void putAttachment(JsonObject tree) {
    String name = ObjectName.of(tree).name();
    removeAttachment(name);
    attachments.put(name, tree);
    attachmentsByNode.computeIfAbsent(nodeOf(tree), _ -> new TreeMap<>()).put(name, tree);
  }

  public void removeAttachment(String name) {
    JsonObject known = attachments.remove(name);
    if (known != null) {
      attachmentsByNode.getOrDefault(nodeOf(known), new TreeMap<>()).remove(name);
    }
  }

  private static String nodeOf(JsonObject attachment) {
    return attachment.object("spec").text("nodeName", "");
  }

  /** The attachments of volumes to a node. */
  public Collection<JsonObject> attachmentsTo(String node) {
    return attachmentsByNode.getOrDefault(node, new TreeMap<>()).values();
  }
}
