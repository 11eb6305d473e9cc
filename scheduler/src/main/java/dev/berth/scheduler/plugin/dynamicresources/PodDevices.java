package dev.berth.scheduler.plugin.dynamicresources;

import dev.berth.model.device.DeviceRequestView;
import dev.berth.model.device.DeviceRequestView.Wanted;
import dev.berth.model.device.PodResourceClaim;
import dev.berth.model.device.PodResourceClaim.Behind;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.device.ClusterDevices;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The claims of a pod: what is to be searched for, or the reason why nothing is. */
sealed interface PodDevices {

  /** It has none. */
  record None() implements PodDevices {}

  /** It cannot be scheduled before something changes. */
  record NotYet(String message) implements PodDevices {}

  /**
   * These are its claims, in its order; some may be allocated.
   *
   * @param extended the extended resources for which it may need another, and their classes
   */
  record Claims(List<ResourceClaimView> all, SortedMap<String, String> extended)
      implements PodDevices {
    /** Those that are not allocated. */
    List<ResourceClaimView> unallocated() {
      return all.stream().filter(claim -> claim.allocation() == null).toList();
    }
  }

  /** The claims of a pod, if they are all there. Upstream's PreEnqueue. */
  static PodDevices find(PodInfo pod, Cluster cluster) {
    SortedMap<String, String> extended =
        cluster.devices().extendedResources(pod, cluster.resources());
    if (pod.resourceClaims().isEmpty() && extended.isEmpty()) {
      return new None();
    }
    List<ResourceClaimView> all = new ArrayList<>();
    for (PodResourceClaim claim : PodResourceClaim.of(pod.tree())) {
      switch (claim.behind()) {
        case Behind.NotNeeded _ -> {}
        case Behind.Missing(String message) -> {
          return new NotYet(message);
        }
        case Behind.Claim(String name, boolean isMade) -> {
          ObjectName full = new ObjectName(pod.name().namespace(), name);
          ResourceClaimView found = cluster.devices().claim(full);
          if (found == null) {
            return new NotYet("could not find ResourceClaim \"" + full + "\"");
          }
          if (found.metadata().isBeingDeleted()) {
            return new NotYet("resourceclaim \"" + name + "\" is being deleted");
          }
          String problem = isMade ? found.notMadeFor(pod.name(), pod.uid()) : "";
          if (!problem.isEmpty()) {
            return new NotYet(problem);
          }
          all.add(found);
        }
      }
    }
    return all.isEmpty() && extended.isEmpty() ? new None() : new Claims(all, extended);
  }

  /** Likewise, if nothing is wrong with those that are to be allocated. Upstream's PreFilter. */
  static PodDevices prepare(PodInfo pod, Cluster cluster) {
    PodDevices found = find(pod, cluster);
    if (found instanceof Claims claims) {
      for (ResourceClaimView claim : claims.unallocated()) {
        String problem = problem(claim, cluster.devices());
        if (!problem.isEmpty()) {
          return new NotYet(problem);
        }
      }
    }
    return found;
  }

  private static String problem(ResourceClaimView claim, ClusterDevices devices) {
    if (devices.isPending(claim.uid())) {
      return "resource claim %s is in the process of being allocated".formatted(claim.name());
    }
    for (DeviceRequestView request : claim.requests()) {
      if (request.alternatives().isEmpty()) {
        return "resource claim %s, request %s: unknown request type"
            .formatted(claim.name(), request.name());
      }
      for (Wanted wanted : request.alternatives()) {
        if (devices.deviceClass(wanted.deviceClass()) == null) {
          return "request %s: device class %s does not exist"
              .formatted(request.reference(wanted), wanted.deviceClass());
        }
      }
    }
    return "";
  }
}
