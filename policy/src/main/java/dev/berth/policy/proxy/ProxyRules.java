package dev.berth.policy.proxy;

import dev.berth.model.network.ProxiedService;
import dev.berth.model.network.ServicePort;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * The rules of one service on a node, for one family of addresses.
 *
 * <ul>
 *   <li>The service's addresses and node ports lead to its chains, if there are endpoints anywhere:
 *       the cluster's address to the endpoints of the internal policy, all others to the chain
 *       {@code external}.
 *   <li>From there, with policy Cluster, everything goes on with the node's address, since it may
 *       leave the node. With policy Local, pods and the node itself reach all endpoints; all others
 *       those of this node, under their own address.
 *   <li>An endpoint is drawn at random; with affinity, a client that was there lately goes there.
 *   <li>Without endpoints, clients are rejected; with endpoints on other nodes alone, those that a
 *       policy keeps from them are dropped.
 * </ul>
 */
public final class ProxyRules {
  private final ProxiedService service;
  private final Family family;
  private final ProxyNode node;
  private final String ip;
  private final RuleFragment.Builder rules = new RuleFragment.Builder();

  private ProxyRules(ProxiedService service, Family family, ProxyNode node) {
    this.service = service;
    this.family = family;
    this.node = node;
    ip = BaseRules.header(family);
  }

  /**
   * The rules.
   *
   * @param endpoints of each port, in this family
   */
  public static RuleFragment of(
      ProxiedService service,
      Family family,
      ProxyNode node,
      Function<ServicePort, List<ProxyEndpoint>> endpoints) {
    ProxyRules rules = new ProxyRules(service, family, node);
    Optional<String> clusterIp = rules.ofFamily(service.clusterIps()).stream().findFirst();
    if (clusterIp.isPresent()) {
      for (ServicePort port : service.ports()) {
        rules.add(port, clusterIp.get(), endpoints.apply(port));
      }
    }
    return rules.rules.build();
  }

  private List<String> ofFamily(List<String> addresses) {
    return addresses.stream().flatMap(each -> ProxyNode.address(each, family).stream()).toList();
  }

  private void add(ServicePort port, String clusterIp, List<ProxyEndpoint> all) {
    EndpointChoice choice = EndpointChoice.of(service, port, all, node);
    String protocol = port.protocol().toLowerCase(Locale.ROOT);
    String id =
        "%s/%s/%s/%s"
            .formatted(service.name().namespace(), service.name().name(), protocol, port.name());
    boolean hasInternal = choice.exist() && !(service.internalLocal() && choice.local().isEmpty());
    boolean hasExternal = choice.exist() && !(service.externalLocal() && choice.local().isEmpty());
    String elsewhere = choice.exist() ? "drop" : BaseRules.REJECT;

    rules.element(BaseRules.CLUSTER_IPS, clusterIp);
    String suffix = " . %s . %d".formatted(protocol, port.port());
    if (hasInternal) {
      String chain = (service.internalLocal() ? "local-" : "cluster-") + id;
      rules.element(BaseRules.SERVICES, clusterIp + suffix, "goto " + chain);
    } else {
      rules.element(BaseRules.NO_ENDPOINTS, clusterIp + suffix, elsewhere);
    }
    if (service.isExternallyAccessible(port)) {
      addExternal(port, id, choice, hasExternal, elsewhere, suffix);
    }
    addEndpoints("cluster-" + id, id, protocol, choice.cluster());
    addEndpoints("local-" + id, id, protocol, choice.local());
  }

  private void addExternal(
      ServicePort port,
      String id,
      EndpointChoice choice,
      boolean hasExternal,
      String elsewhere,
      String suffix) {
    String external = "goto external-" + id;
    List<String> ingress = ofFamily(service.ingressIps());
    List<String> addresses = new ArrayList<>(ofFamily(service.externalIps()));
    addresses.addAll(ingress);
    String nodePort =
        suffix.substring(" . ".length(), suffix.lastIndexOf(' ') + 1) + port.nodePort();
    if (choice.exist()) {
      addresses.forEach(each -> rules.element(BaseRules.SERVICES, each + suffix, external));
      if (port.nodePort() != 0) {
        rules.element(BaseRules.NODE_PORTS, nodePort, external);
      }
      addExternalChain("external-" + id, id, hasExternal);
    }
    if (!hasExternal) {
      addresses.forEach(each -> rules.element(BaseRules.NO_ENDPOINTS, each + suffix, elsewhere));
      if (port.nodePort() != 0) {
        rules.element(BaseRules.NO_ENDPOINT_NODE_PORTS, nodePort, elsewhere);
      }
    }
    addFirewall(ingress, id, suffix);
  }

  private void addExternalChain(String chain, String id, boolean hasExternal) {
    if (!service.externalLocal()) {
      rules.rule(chain, BaseRules.MARK_FOR_MASQUERADE).rule(chain, "goto cluster-" + id);
      return;
    }
    if (!node.podRanges(family).isEmpty()) {
      rules.rule(chain, "%s saddr @%s goto cluster-%s".formatted(ip, BaseRules.POD_RANGES, id));
    }
    rules
        .rule(chain, "fib saddr type local " + BaseRules.MARK_FOR_MASQUERADE)
        .rule(chain, "fib saddr type local goto cluster-" + id);
    if (hasExternal) {
      rules.rule(chain, "goto local-" + id);
    }
  }

  private void addFirewall(List<String> ingress, String id, String suffix) {
    List<Cidr> ranges =
        service.sourceRanges().stream()
            .flatMap(each -> Cidr.parse(each).stream())
            .filter(each -> each.family() == family)
            .toList();
    boolean isForAll = ranges.isEmpty() || ranges.stream().anyMatch(each -> each.length() == 0);
    if (ingress.isEmpty() || isForAll) {
      return;
    }
    List<String> sources = new ArrayList<>(ranges.stream().map(Cidr::toString).sorted().toList());
    boolean hasNode =
        node.addresses(family).stream()
            .flatMap(each -> Cidr.parseAddress(each).stream())
            .anyMatch(each -> ranges.stream().anyMatch(range -> range.contains(each)));
    if (hasNode) {
      // The node reaches such an address under that address itself.
      sources.addAll(ingress);
    }
    rules.rule(
        "firewall-" + id, "%s saddr != { %s } drop".formatted(ip, String.join(", ", sources)));
    ingress.forEach(
        each -> rules.element(BaseRules.FIREWALL, each + suffix, "goto firewall-" + id));
  }

  private void addEndpoints(
      String chain, String id, String protocol, List<ProxyEndpoint> endpoints) {
    if (endpoints.isEmpty()) {
      return;
    }
    for (ProxyEndpoint each : endpoints) {
      if (each.local()) {
        rules.element(
            BaseRules.HAIRPINS,
            "%s . %s . %s . %d".formatted(each.address(), each.address(), protocol, each.port()));
      }
    }
    if (service.affinitySeconds().isEmpty()) {
      List<String> targets = new ArrayList<>();
      for (int i = 0; i < endpoints.size(); i++) {
        ProxyEndpoint each = endpoints.get(i);
        targets.add("%d : %s . %d".formatted(i, each.address(), each.port()));
      }
      rules.rule(
          chain,
          "meta l4proto %s dnat %s addr . port to numgen random mod %d map { %s }"
              .formatted(protocol, ip, endpoints.size(), String.join(", ", targets)));
      return;
    }
    List<String> targets = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      ProxyEndpoint each = endpoints.get(i);
      String name = "%s/%s/%d".formatted(id, each.address().replace(':', '.'), each.port());
      rules.rule(chain, "%s saddr @%s goto endpoint-%s".formatted(ip, affinitySet(name), name));
      targets.add("%d : goto endpoint-%s".formatted(i, name));
      addAffine(name, protocol, each);
    }
    rules.rule(
        chain,
        "numgen random mod %d vmap { %s }".formatted(endpoints.size(), String.join(", ", targets)));
  }

  /** Sets cannot be changed, so another time is another set. */
  private String affinitySet(String endpoint) {
    return "affinity-%d/%s".formatted(service.affinitySeconds().orElseThrow(), endpoint);
  }

  /** The chain of an endpoint that remembers its clients; the same whichever policy leads there. */
  private void addAffine(String name, String protocol, ProxyEndpoint endpoint) {
    String set = affinitySet(name);
    if (rules.has(set)) {
      return;
    }
    String target =
        family == Family.IPV4
            ? "%s:%d".formatted(endpoint.address(), endpoint.port())
            : "[%s]:%d".formatted(endpoint.address(), endpoint.port());
    rules
        .set(
            set,
            "type %s; flags dynamic,timeout; timeout %ds"
                .formatted(BaseRules.addressType(family), service.affinitySeconds().orElseThrow()))
        .rule("endpoint-" + name, "update @%s { %s saddr }".formatted(set, ip))
        .rule("endpoint-" + name, "meta l4proto %s dnat to %s".formatted(protocol, target));
  }
}
