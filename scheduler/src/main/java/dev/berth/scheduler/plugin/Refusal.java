package dev.berth.scheduler.plugin;

import java.util.List;

/**
 * Why a plugin does not allow a node. Each plugin has its own record with what was asked and what
 * there is; messages are made only when they are needed.
 */
public interface Refusal {
  /** The plugin's name. */
  String plugin();

  /**
   * The reasons in the words that users know, such as "Insufficient cpu"; they are counted over all
   * nodes.
   */
  List<String> messages();

  /** Whether the node might be allowed if pods were taken off it. */
  boolean preemptionMayHelp();

  /**
   * Whether it is about the pod whatever the node, such as a claim that does not exist. It is
   * reported once then, and not counted.
   */
  default boolean isOfPod() {
    return false;
  }
}
