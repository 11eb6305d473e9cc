package dev.berth.hollow.pod;

import dev.berth.hollow.node.HollowNode;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.podrun.NodeAdmission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pods that are bound to one node, their addresses, and what they take of its resources. */
public final class NodePods {
  private final HollowNode node;
  private final PodAddresses addresses;
  private final List<HollowPod> pods = new ArrayList<>(0);
  private final Map<String, Quantity> used = new HashMap<>(4);
  private int admitted;

  NodePods(HollowNode node) {
    this.node = node;
    this.addresses = new PodAddresses(node.index());
  }

  public HollowNode node() {
    return node;
  }

  public List<HollowPod> pods() {
    return pods;
  }

  PodAddresses addresses() {
    return addresses;
  }

  NodeAdmission.Taken taken() {
    return new NodeAdmission.Taken(admitted, used, List.of());
  }

  /** Counts what an admitted pod requests. */
  void take(ResourceList requests) {
    admitted++;
    requests.amounts().forEach((resource, amount) -> used.merge(resource, amount, Quantity::plus));
  }

  void giveBack(ResourceList requests) {
    admitted--;
    requests
        .amounts()
        .forEach(
            (resource, amount) -> used.computeIfPresent(resource, (_, sum) -> sum.minus(amount)));
  }
}
