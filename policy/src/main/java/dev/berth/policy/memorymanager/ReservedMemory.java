package dev.berth.policy.memorymanager;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.topology.PolicyOptionException;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Memory of a NUMA node that pods do not get. */
public record ReservedMemory(int node, ResourceList limits) {

  static boolean isMemory(String resource) {
    return resource.equals(ResourceList.MEMORY) || resource.startsWith("hugepages-");
  }

  /**
   * What is reserved of each node, by type.
   *
   * @param machine the nodes that there are
   * @param whole what the node reserves of each resource in all: for the system, for Kubernetes,
   *     and below the hard eviction threshold
   * @throws PolicyOptionException if it is not as much in sum, or of a node that does not exist
   */
  static SortedMap<Integer, SortedMap<String, Long>> check(
      List<ReservedMemory> reserved, Collection<Integer> machine, ResourceList whole) {
    SortedMap<Integer, SortedMap<String, Long>> byNode = new TreeMap<>();
    machine.forEach(node -> byNode.put(node, new TreeMap<>()));
    ResourceList sum = ResourceList.EMPTY;
    for (ReservedMemory each : reserved) {
      SortedMap<String, Long> ofNode = byNode.get(each.node);
      if (ofNode == null) {
        throw new PolicyOptionException(
            ("the reserved memory configuration references a NUMA node %d that does not exist on"
                    + " this machine")
                .formatted(each.node));
      }
      each.limits.amounts().forEach((type, amount) -> ofNode.put(type, amount.value()));
      sum = sum.plus(each.limits);
    }
    SortedSet<String> types = new TreeSet<>(sum.amounts().keySet());
    for (String type : whole.amounts().keySet()) {
      if (isMemory(type)) {
        types.add(type);
      }
    }
    for (String type : types) {
      Quantity own = sum.get(type);
      if (own.compareTo(whole.get(type)) != 0) {
        throw new PolicyOptionException(
            ("the total amount \"%s\" of type \"%s\" is not equal to the value \"%s\" determined by"
                    + " Node Allocatable feature: reservedMemory of all NUMA nodes together must be"
                    + " what systemReserved, kubeReserved and evictionHard keep from pods")
                .formatted(own, type, whole.get(type)));
      }
    }
    if (sum.get(ResourceList.MEMORY).signum() <= 0) {
      throw new PolicyOptionException(
          "[memorymanager] you should specify the system reserved memory");
    }
    return byNode;
  }
}
