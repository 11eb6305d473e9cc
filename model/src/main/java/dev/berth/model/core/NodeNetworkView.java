package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * How a node is reached.
 *
 * @param internalAddresses in the order in which it has them
 * @param podCidrs what its pods have addresses of
 */
public record NodeNetworkView(
    String name, List<String> internalAddresses, List<String> podCidrs, boolean ready) {

  public static NodeNetworkView read(JsonObject node) {
    JsonObject spec = node.object("spec");
    JsonObject status = node.object("status");
    List<String> ranges = spec.array("podCIDRs").texts();
    String only = spec.text("podCIDR", "");
    return new NodeNetworkView(
        Metadata.of(node).name(),
        status.array("addresses").objects().stream()
            .filter(each -> each.text("type", "").equals("InternalIP"))
            .map(each -> each.text("address", ""))
            .toList(),
        ranges.isEmpty() && !only.isEmpty() ? List.of(only) : ranges,
        Condition.find(Views.list(status.array("conditions"), Condition::read), Condition.READY)
            .filter(ready -> ready.status() == ConditionStatus.TRUE)
            .isPresent());
  }
}
