package dev.berth.policy.cloud;

import dev.berth.model.core.NodeAddress;
import dev.berth.model.tree.JsonArray;
import dev.berth.policy.reconcile.Action;
import java.util.List;
import java.util.Map;

/** Something to be done about a node of a cloud. */
public sealed interface CloudNodeAction extends Action {

  /**
   * The node gets what the cloud knows, and loses the taint that kept pods away until then.
   *
   * @param labels those that are set
   * @param taints those that stay
   * @param providerId empty if the node has one
   * @param addresses none if the cloud knows none
   */
  record Initialize(
      Map<String, String> labels, JsonArray taints, String providerId, List<NodeAddress> addresses)
      implements CloudNodeAction {
    @Override
    public String reason() {
      return "initialize, as the cloud knows its machine";
    }
  }

  /** The cloud knows other addresses than the node shows. */
  record SetAddresses(List<NodeAddress> addresses) implements CloudNodeAction {
    @Override
    public String reason() {
      return "show %d addresses that the cloud knows".formatted(addresses.size());
    }
  }

  /** Labels that were renamed say under their newer name what they say under their older one. */
  record SetLabels(Map<String, String> labels) implements CloudNodeAction {
    @Override
    public String reason() {
      return "set labels " + labels.keySet();
    }
  }

  /** The node cannot be initialized yet; after a while it is tried again. */
  record TryAgain(String why) implements CloudNodeAction {
    @Override
    public String reason() {
      return why;
    }
  }
}
