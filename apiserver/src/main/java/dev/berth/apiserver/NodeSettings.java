package dev.berth.apiserver;

import dev.berth.serving.connect.KubeletConnector;
import java.util.List;

/**
 * How the server reaches nodes.
 *
 * @param addressTypes which of a node's addresses to use, the most preferred first
 * @param allowsLoopback whether nodes and pods may be proxied to that are at this machine's own
 *     loopback address, as in a cluster without any other network
 * @param verifiesKubelets whether their certificates have to be the cluster's; unlike
 *     kube-apiserver, unless somebody says otherwise
 * @param servesMetrics whether {@code metrics.k8s.io} is served here, from what nodes say
 */
public record NodeSettings(
    List<String> addressTypes,
    boolean allowsLoopback,
    boolean verifiesKubelets,
    boolean servesMetrics) {
  public static final NodeSettings DEFAULT =
      new NodeSettings(KubeletConnector.ADDRESS_TYPES, false, true, true);

  public NodeSettings {
    addressTypes = List.copyOf(addressTypes);
  }
}
