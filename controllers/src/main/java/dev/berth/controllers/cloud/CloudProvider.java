package dev.berth.controllers.cloud;

import dev.berth.policy.cloud.CloudAnswer;

/** A cloud that has the machines of nodes. */
public interface CloudProvider {

  /**
   * What it knows of the machine of a node. May block, and is asked by several threads at once.
   *
   * @param node its name
   * @param providerId its machine's id; empty if nobody has said it yet
   */
  CloudAnswer find(String node, String providerId);
}
