package dev.berth.scheduler.cluster.device;

import dev.berth.model.device.DeviceClassView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.device.ResourceSliceView;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.allocation.AllocatedDevices;
import dev.berth.policy.allocation.DeviceInventory;
import dev.berth.policy.resourceclaim.ExtendedRequests;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Claims on devices, the classes that they name, and the devices that there are. What a plan is
 * about to allocate counts as allocated, until it is seen to be or the plan is given up.
 *
 * <p>A claim as the server answered it counts before the watch tells of it; older revisions that
 * the watch brings after that do not.
 */
public final class ClusterDevices {
  private static final Comparator<DeviceClassView> NEWEST =
      Comparator.comparing((DeviceClassView read) -> read.created().orElse(Instant.MIN))
          .reversed()
          .thenComparing(DeviceClassView::name);

  private final DeviceInventory inventory = new DeviceInventory();
  private final Map<ObjectName, ResourceClaimView> claims = new HashMap<>();
  private final Map<String, DeviceClassView> classes = new HashMap<>();
  private final Map<String, DeviceClassView> classByResource = new HashMap<>();
  private final Map<String, ResourceClaimView> extendedClaims = new HashMap<>();
  private final DeviceUse use = new DeviceUse();
  private final DeviceExpressions expressions = new DeviceExpressions();

  /** By the claim's UID: the results that a plan is about to write. */
  private final Map<String, List<JsonObject>> pending = new HashMap<>();

  /** The UIDs of claims whose devices were not ready in time. */
  private final Set<String> overdue = new HashSet<>();

  private long classVersion;

  // Slices and classes.

  public void putSlice(JsonObject tree) {
    ResourceSliceView slice = ResourceSliceView.read(tree);
    expressions.forget(inventory.put(slice));
  }

  public void removeSlice(String name) {
    expressions.forget(inventory.remove(name));
  }

  public DeviceInventory inventory() {
    return inventory;
  }

  public void putClass(JsonObject tree) {
    DeviceClassView read = DeviceClassView.read(tree);
    classes.put(read.name(), read);
    mapResources();
  }

  public void removeClass(String name) {
    classes.remove(name);
    mapResources();
  }

  /** Of classes that stand for the same resource, the newest does, then the first by name. */
  private void mapResources() {
    classVersion++;
    classByResource.clear();
    for (DeviceClassView read : classes.values()) {
      classByResource.put(DeviceClassView.IMPLICIT_PREFIX + read.name(), read);
      if (!read.extendedResource().isEmpty()) {
        classByResource.merge(
            read.extendedResource(), read, (a, b) -> NEWEST.compare(a, b) <= 0 ? a : b);
      }
    }
  }

  /** The class that stands for an extended resource; null if none does. */
  public @Nullable DeviceClassView classFor(String resource) {
    return classByResource.get(resource);
  }

  /** Changes whenever another class may stand for a resource. */
  public long classVersion() {
    return classVersion;
  }

  /** The extended resources that a pod asks for and classes stand for, with those classes. */
  public SortedMap<String, String> extendedResources(PodInfo pod, ResourceTable resources) {
    if (classes.isEmpty()) {
      return Collections.emptySortedMap();
    }
    SortedMap<String, String> found = new TreeMap<>();
    ResourceAmounts requests = pod.requests();
    for (int i = 0; i < requests.size(); i++) {
      if (requests.column(i) > ResourceTable.PODS) {
        String name = resources.name(requests.column(i));
        DeviceClassView standsFor = classByResource.get(name);
        if (standsFor != null) {
          found.put(name, standsFor.name());
        }
      }
    }
    return found;
  }

  /** The claim that an earlier attempt made for a pod's extended resources; null if none did. */
  public @Nullable ResourceClaimView extendedClaim(String podUid) {
    return extendedClaims.get(podUid);
  }

  public @Nullable DeviceClassView deviceClass(String name) {
    return classes.get(name);
  }

  /** Evaluates selectors; remembers what they say of devices. */
  public DeviceExpressions expressions() {
    return expressions;
  }

  // Claims.

  /** Takes note of a claim; false if a later revision of it is known. */
  public boolean putClaim(JsonObject tree) {
    ResourceClaimView claim = ResourceClaimView.read(tree);
    ResourceClaimView known = claims.get(claim.name());
    if (known != null
        && known.uid().equals(claim.uid())
        && claim.metadata().isBefore(known.metadata())) {
      return false;
    }
    if (known != null && !known.uid().equals(claim.uid())) {
      forgetClaim(known.name());
    }
    removeClaim(claim.name());
    claims.put(claim.name(), claim);
    extendedFor(claim).ifPresent(pod -> extendedClaims.put(pod, claim));
    use.add(claim.results());
    if (claim.allocation() == null) {
      overdue.remove(claim.uid());
    } else {
      giveUp(claim.uid());
    }
    return true;
  }

  public void removeClaim(ObjectName name) {
    ResourceClaimView known = claims.remove(name);
    if (known != null) {
      use.remove(known.results());
      extendedFor(known).ifPresent(extendedClaims::remove);
    }
  }

  private static Optional<String> extendedFor(ResourceClaimView claim) {
    return claim
        .metadata()
        .annotation(ExtendedRequests.ANNOTATION)
        .filter("true"::equals)
        .flatMap(_ -> claim.metadata().controller())
        .map(OwnerReference::uid);
  }

  /** A claim that is gone, with all that was to become of it. */
  public void forgetClaim(ObjectName name) {
    ResourceClaimView known = claims.get(name);
    removeClaim(name);
    if (known != null) {
      giveUp(known.uid());
      overdue.remove(known.uid());
    }
  }

  public @Nullable ResourceClaimView claim(ObjectName name) {
    return claims.get(name);
  }

  /** What claims have, and are about to have. */
  public AllocatedDevices allocated() {
    return use;
  }

  // Plans.

  /** From now on, what a plan is about to allocate counts as allocated. */
  public void assume(DevicePlan plan) {
    for (DevicePlan.Write write : plan.writes()) {
      JsonObject allocation = write.allocation();
      if (allocation != null) {
        List<JsonObject> results = allocation.object("devices").array("results").objects();
        giveUp(write.claim().uid());
        pending.put(write.claim().uid(), results);
        use.add(results);
      }
    }
    DevicePlan.Extended extended = plan.extended();
    if (extended != null) {
      List<JsonObject> results = extended.allocation().object("devices").array("results").objects();
      pending.put(extended.podUid(), results);
      use.add(results);
    }
  }

  /** Forgets what of a plan has not been seen to be written. */
  public void forget(DevicePlan plan) {
    plan.writes().forEach(write -> giveUp(write.claim().uid()));
    DevicePlan.Extended extended = plan.extended();
    if (extended != null) {
      giveUp(extended.podUid());
    }
  }

  /** The claim of a plan for extended resources is written: it counts itself. */
  public void extendedWritten(DevicePlan.Extended extended, JsonObject claim) {
    giveUp(extended.podUid());
    putClaim(claim);
  }

  private void giveUp(String claimUid) {
    List<JsonObject> results = pending.remove(claimUid);
    if (results != null) {
      use.remove(results);
    }
  }

  /** Whether a claim is just being allocated. */
  public boolean isPending(String claimUid) {
    return pending.containsKey(claimUid);
  }

  /** The devices of a claim were not ready in time. */
  public void setOverdue(String claimUid) {
    overdue.add(claimUid);
  }

  public boolean isOverdue(String claimUid) {
    return overdue.contains(claimUid);
  }
}
