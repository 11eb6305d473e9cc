package dev.berth.policy.node;

/**
 * How fast the nodes of a zone may be emptied.
 *
 * @param nodesPerSecond the normal rate ({@code --node-eviction-rate})
 * @param secondaryNodesPerSecond the rate in a large zone that is disrupted ({@code
 *     --secondary-node-eviction-rate})
 * @param unhealthyThreshold the share of unhealthy nodes from which a zone is disrupted ({@code
 *     --unhealthy-zone-threshold})
 * @param largeZone a zone with more nodes than this is large ({@code
 *     --large-cluster-size-threshold})
 */
public record ZoneSettings(
    double nodesPerSecond,
    double secondaryNodesPerSecond,
    double unhealthyThreshold,
    int largeZone) {
  public static final ZoneSettings DEFAULT = new ZoneSettings(0.1, 0.01, 0.55, 50);
}
