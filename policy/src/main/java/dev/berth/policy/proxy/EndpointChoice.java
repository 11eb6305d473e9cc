package dev.berth.policy.proxy;

import dev.berth.model.network.ProxiedService;
import dev.berth.model.network.ServicePort;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which endpoints of a service's port a node uses.
 *
 * <ul>
 *   <li>Ready ones; if there are none, those that serve while they terminate.
 *   <li>Policy Cluster: those hinted for this node, if each ready endpoint is hinted for some node
 *       and one for this; else those hinted for this node's zone, if each is hinted for some zone
 *       and one for this; else all.
 *   <li>Policy Local: those of this node.
 *   <li>What comes from outside with policy Local still needs those of policy Cluster: pods and the
 *       node itself reach all endpoints by the same address.
 * </ul>
 *
 * @param cluster by policy Cluster; none if the port never uses that
 * @param local by policy Local; none if the port never uses that
 * @param exist whether there are any in the whole cluster
 */
public record EndpointChoice(
    List<ProxyEndpoint> cluster, List<ProxyEndpoint> local, boolean exist) {

  public static EndpointChoice of(
      ProxiedService service, ServicePort port, List<ProxyEndpoint> all, ProxyNode node) {
    boolean isExternal = service.isExternallyAccessible(port);
    boolean usesCluster = !service.internalLocal() || isExternal;
    boolean usesLocal = service.internalLocal() || (service.externalLocal() && isExternal);
    List<ProxyEndpoint> cluster = usesCluster ? cluster(all, node) : List.of();
    List<ProxyEndpoint> local =
        usesLocal ? readyOrTerminating(all, ProxyEndpoint::local) : List.of();
    boolean exist = usesLocal ? !readyOrTerminating(all, _ -> true).isEmpty() : !cluster.isEmpty();
    return new EndpointChoice(cluster, local, exist);
  }

  private static List<ProxyEndpoint> cluster(List<ProxyEndpoint> all, ProxyNode node) {
    return readyOrTerminating(all, _ -> true).stream().filter(hinted(all, node)).toList();
  }

  private static Predicate<ProxyEndpoint> hinted(List<ProxyEndpoint> all, ProxyNode node) {
    List<ProxyEndpoint> ready = all.stream().filter(ProxyEndpoint::ready).toList();
    Predicate<ProxyEndpoint> forNode = each -> each.forNodes().contains(node.name());
    Predicate<ProxyEndpoint> forZone = each -> each.forZones().contains(node.zone());
    if (ready.stream().noneMatch(each -> each.forNodes().isEmpty())
        && ready.stream().anyMatch(forNode)) {
      return forNode;
    }
    if (ready.stream().noneMatch(each -> each.forZones().isEmpty())
        && ready.stream().anyMatch(forZone)) {
      return forZone;
    }
    return _ -> true;
  }

  private static List<ProxyEndpoint> readyOrTerminating(
      List<ProxyEndpoint> all, Predicate<ProxyEndpoint> which) {
    List<ProxyEndpoint> ready = all.stream().filter(ProxyEndpoint::ready).filter(which).toList();
    return ready.isEmpty()
        ? all.stream().filter(ProxyEndpoint::servesWhileTerminating).filter(which).toList()
        : ready;
  }
}
