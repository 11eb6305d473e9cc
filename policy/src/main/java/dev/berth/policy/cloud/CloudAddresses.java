package dev.berth.policy.cloud;

import dev.berth.model.core.CloudNodeView;
import dev.berth.model.core.NodeAddress;
import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which addresses a node shows, given those that its cloud knows. */
sealed interface CloudAddresses {

  /** These; none if the cloud knows none, and then the node's own stay. */
  record Known(List<NodeAddress> addresses) implements CloudAddresses {}

  /** The node was told an address that its cloud does not know. */
  record Contradiction(String why) implements CloudAddresses {}

  /**
   * The cloud's addresses, in its order, and
   *
   * <ol>
   *   <li>the node's own host name, if the cloud knows none;
   *   <li>those first that the node was told by its administrator ({@code --node-ip}), as the only
   *       ones of their type. The cloud must know each of them.
   * </ol>
   */
  static CloudAddresses of(CloudNodeView node, Machine machine) {
    List<NodeAddress> all = new ArrayList<>(machine.addresses());
    if (all.stream().noneMatch(NodeAddress::isHostname)) {
      node.addresses().stream().filter(NodeAddress::isHostname).forEach(all::add);
    }
    if (!node.providedIps().isEmpty()) {
      return preferring(node.providedIps(), all);
    }
    return new Known(machine.addresses().isEmpty() ? List.of() : List.copyOf(all));
  }

  private static CloudAddresses preferring(String told, List<NodeAddress> all) {
    List<NodeAddress> chosen = new ArrayList<>();
    Set<String> types = new HashSet<>();
    for (String ip : told.split(",", -1)) {
      Optional<Cidr> wanted = Cidr.parseAddress(ip.strip());
      if (wanted.isEmpty()) {
        return new Contradiction("failed to parse node IP \"%s\"".formatted(told));
      }
      List<NodeAddress> same =
          all.stream().filter(each -> Cidr.parseAddress(each.address()).equals(wanted)).toList();
      if (same.isEmpty()) {
        return new Contradiction(
            "failed to get node address from cloud provider that matches ip: " + ip.strip());
      }
      chosen.addAll(same);
      same.forEach(each -> types.add(each.type()));
    }
    all.stream().filter(each -> !types.contains(each.type())).forEach(chosen::add);
    return new Known(List.copyOf(chosen));
  }
}
