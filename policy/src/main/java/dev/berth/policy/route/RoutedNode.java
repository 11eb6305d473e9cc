package dev.berth.policy.route;

import dev.berth.model.core.NodeNetworkView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * A node as far as routes go.
 *
 * @param addresses its internal ones
 * @param podRanges what its pods have addresses of
 */
public record RoutedNode(String name, List<String> addresses, List<Cidr> podRanges, boolean ready) {

  /** The label of nodes that are only simulated, which nobody can reach. */
  private static final String HOLLOW = "hollow.berth.dev/managed";

  /** Empty for a node that is simulated. */
  public static Optional<RoutedNode> read(JsonObject node) {
    if (Metadata.of(node).label(HOLLOW).isPresent()) {
      return Optional.empty();
    }
    NodeNetworkView view = NodeNetworkView.read(node);
    return Optional.of(
        new RoutedNode(
            view.name(),
            view.internalAddresses(),
            view.podCidrs().stream().flatMap(each -> Cidr.parse(each).stream()).toList(),
            view.ready()));
  }
}
