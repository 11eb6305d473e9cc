package dev.berth.scheduler.plugin.dynamicresources;

import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;

/**
 * Why a node, or every node, would not do for a pod's claims. No pod on the node has to do with it.
 *
 * @param isOfPod whether it is about the pod, and so about every node
 */
record DeviceRefusal(String message, boolean isOfPod) implements Refusal {
  @Override
  public String plugin() {
    return DynamicResources.NAME;
  }

  @Override
  public List<String> messages() {
    return List.of(message);
  }

  @Override
  public boolean preemptionMayHelp() {
    return false;
  }

  /** A filter that refuses every node for this. */
  NodeFilter everywhere() {
    return new NodeFilter() {
      @Override
      public boolean allows(int node) {
        return false;
      }

      @Override
      public Refusal refusal(int node) {
        return DeviceRefusal.this;
      }

      @Override
      public PodInfluence podInfluence() {
        return PodInfluence.NONE;
      }
    };
  }
}
