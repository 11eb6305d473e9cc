package dev.berth.scheduler.plugin.volume;

import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;

/**
 * Why a node, or every node, would not do for a pod's volumes.
 *
 * @param isOfPod whether it is about the pod, and so about every node
 */
public record VolumeRefusal(
    String plugin, List<String> messages, boolean preemptionMayHelp, boolean isOfPod)
    implements Refusal {

  public VolumeRefusal {
    messages = List.copyOf(messages);
  }

  /** For a node that may become feasible if pods are removed. */
  static VolumeRefusal resolvable(String plugin, String message) {
    return new VolumeRefusal(plugin, List.of(message), true, false);
  }

  static VolumeRefusal unresolvable(String plugin, List<String> messages) {
    return new VolumeRefusal(plugin, messages, false, false);
  }

  static VolumeRefusal ofPod(String plugin, String message) {
    return new VolumeRefusal(plugin, List.of(message), false, true);
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
        return VolumeRefusal.this;
      }
    };
  }
}
