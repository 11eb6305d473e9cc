package dev.berth.scheduler.plugin.dynamicresources;

import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.allocation.AllocationOutcome;
import dev.berth.policy.allocation.DeviceAllocator;
import dev.berth.policy.resourceclaim.ExtendedRequests;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod's claims can be used: those that are allocated, on the nodes that their allocation
 * selects; the others, where devices are found for all of them.
 */
final class DeviceFilter implements NodeFilter {
  private final Cluster cluster;
  private final PodInfo pod;
  private final PodDevices.Claims claims;
  private final List<ResourceClaimView> unallocated;
  private final DeviceAllocator allocator;
  private final List<Allocated> allocated = new ArrayList<>();
  private final Map<Integer, Outcome> outcomes = new HashMap<>();

  /** What is to be claimed for extended resources, by those that a node does not have. */
  private final Map<Set<String>, ExtendedRequests> extended = new HashMap<>();

  /** A claim that has devices; no node will do if these will not be ready. */
  private record Allocated(NodeSelector nodes, boolean isEverywhere, boolean isUnusable) {}

  /** What is found for a node. */
  sealed interface Outcome {
    /**
     * The allocations of the claims that had none, in their order.
     *
     * @param extended what is claimed for extended resources, whose allocation is the last; null if
     *     nothing is
     */
    record Found(List<JsonObject> allocations, @Nullable ExtendedRequests extended)
        implements Outcome {}

    record Refused(DeviceRefusal refusal) implements Outcome {}
  }

  DeviceFilter(Cluster cluster, PodInfo pod, PodDevices.Claims claims, DeviceAllocator allocator) {
    this.cluster = cluster;
    this.pod = pod;
    this.claims = claims;
    this.unallocated = claims.unallocated();
    this.allocator = allocator;
    for (ResourceClaimView claim : claims.all()) {
      JsonObject allocation = claim.allocation();
      if (allocation != null) {
        boolean isUnusable =
            BindingConditions.of(claim) instanceof BindingConditions.Failed
                || (BindingConditions.of(claim) instanceof BindingConditions.Pending
                    && cluster.devices().isOverdue(claim.uid()));
        allocated.add(
            new Allocated(
                NodeSelector.read(allocation.object("nodeSelector")),
                !allocation.has("nodeSelector"),
                isUnusable));
      }
    }
  }

  List<ResourceClaimView> unallocated() {
    return unallocated;
  }

  PodDevices.Claims claims() {
    return claims;
  }

  Outcome outcome(int node) {
    Outcome known = outcomes.get(node);
    if (known == null) {
      known = find(node, cluster.node(node).view());
      outcomes.put(node, known);
    }
    return known;
  }

  private Outcome find(int index, NodeView node) {
    List<JsonObject> found = List.of();
    List<ResourceClaimView> wanted = unallocated;
    ExtendedRequests requests = claims.extended().isEmpty() ? null : extended(index);
    if (requests != null) {
      if (cluster.devices().extendedClaim(pod.uid()) != null) {
        return refused("cannot schedule extended resource claim", false);
      }
      wanted = new ArrayList<>(unallocated);
      wanted.add(ResourceClaimView.read(requests.claim(pod.tree())));
    }
    if (!wanted.isEmpty()) {
      switch (allocator.allocate(wanted, node)) {
        case AllocationOutcome.Allocated(List<JsonObject> allocations) -> found = allocations;
        case AllocationOutcome.NotOnNode(String message) -> {
          return refused(message, false);
        }
        case AllocationOutcome.Failed(String message) -> {
          return refused(
              "running \"" + DynamicResources.NAME + "\" filter plugin: " + message, true);
        }
      }
    }
    for (Allocated claim : allocated) {
      if (claim.isUnusable()
          || (!claim.isEverywhere() && !NodeSelection.matches(claim.nodes(), node))) {
        return refused("resourceclaim not available on the node", false);
      }
    }
    return new Outcome.Found(found, requests);
  }

  /** What is to be claimed for extended resources that a node does not have; null if nothing. */
  private @Nullable ExtendedRequests extended(int node) {
    SortedMap<String, String> missing = new TreeMap<>(claims.extended());
    missing
        .keySet()
        .removeIf(name -> cluster.allocatable(cluster.resources().column(name), node) > 0);
    return missing.isEmpty()
        ? null
        : extended.computeIfAbsent(missing.keySet(), _ -> ExtendedRequests.of(pod.tree(), missing));
  }

  private static Outcome refused(String message, boolean isOfPod) {
    return new Outcome.Refused(new DeviceRefusal(message, isOfPod));
  }

  @Override
  public boolean allows(int node) {
    return outcome(node) instanceof Outcome.Found;
  }

  @Override
  public Refusal refusal(int node) {
    return switch (outcome(node)) {
      case Outcome.Refused(DeviceRefusal refusal) -> refusal;
      case Outcome.Found _ ->
          throw new IllegalArgumentException("The node " + node + " is allowed");
    };
  }

  @Override
  public PodInfluence podInfluence() {
    return PodInfluence.NONE;
  }
}
