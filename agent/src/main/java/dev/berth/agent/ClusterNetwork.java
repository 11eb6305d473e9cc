package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.dns.NodeNameServer;
import dev.berth.agent.network.Masquerade;
import dev.berth.agent.network.Nft;
import dev.berth.agent.network.RouteTable;
import dev.berth.agent.proxy.HealthCheckPorts;
import dev.berth.agent.proxy.PacketFilter;
import dev.berth.agent.proxy.ServiceProxy;
import dev.berth.agent.proxy.StaleFlows;
import dev.berth.agent.route.PodRoutes;
import dev.berth.client.Api;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.nodestatus.KubeletConditions;
import dev.berth.policy.proxy.ProxyNode;
import dev.berth.policy.route.RoutedNode;
import dev.berth.policy.route.ServiceRangeOverlap;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's network on this node, as far as the agent looks after it: services, routes to other
 * nodes' pods, and names. One loop watches services, their endpoints and nodes, and tells the
 * parts; each of them can be left to somebody else.
 */
final class ClusterNetwork implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("cluster-network");
  private static final Path PROC = Path.of("/proc");
  private static final Path BRIDGES = Path.of("/sys/class/net");

  private final AgentSettings settings;
  private final String own;
  private final Loop loop;
  private final Informers source;
  private final InformerSet services;

  /** All nodes, or only this one if nobody needs the others, whose reports are many. */
  private volatile InformerSet nodeInformers;

  private final Optional<ServiceProxy> proxy;
  private final HealthCheckPorts healthChecks = new HealthCheckPorts();
  private final Optional<PodRoutes> routes;
  private final Optional<NodeNameServer> names;
  private final Optional<Nft> nft;
  private final Map<String, RoutedNode> nodes = new TreeMap<>();

  /** From which services get their addresses, by the name of the ServiceCIDR. */
  private final Map<String, List<Cidr>> serviceRanges = new TreeMap<>();

  private final Set<String> warnings = new HashSet<>();
  private String zone = "";
  private List<Cidr> exempted = List.of();

  /**
   * What to make it of.
   *
   * @param own the name that no other agent on this machine has, which is that of its bridge
   * @param available told once the node's routes are in place
   */
  record Parts(Api api, Time time, AgentSettings settings, String own, Runnable available) {}

  private ClusterNetwork(Parts parts) {
    settings = parts.settings();
    own = parts.own();
    AgentSettings.OwnNetwork looksAfter = settings.dns().own();
    loop = parts.time().start("cluster-network");
    nft = looksAfter.services() || looksAfter.routes() ? Nft.find() : Optional.empty();
    names =
        looksAfter.names() && looksAfter.services() && nft.isPresent()
            ? Optional.of(
                new NodeNameServer(
                    loop,
                    settings.dns().resolvConf(),
                    parts.time().random("cluster-dns"),
                    this::namesChanged))
            : Optional.empty();
    proxy = looksAfter.services() ? nft.map(this::makeProxy) : Optional.empty();
    routes =
        looksAfter.routes()
            ? Optional.of(
                new PodRoutes(loop, new RouteTable(own, PROC), nodeName(), parts.available()))
            : Optional.empty();
    source = Informers.separate(parts.api(), parts.time());
    nodeInformers = routes.isPresent() ? allNodes() : ownNode();
    services = new InformerSet(source, loop, this::servicesSynced, this::warn);
    if (proxy.isPresent()) {
      services
          .on(Resources.SERVICES, this::serviceChanged)
          .on(Resources.ENDPOINT_SLICES, this::sliceChanged)
          .onOptional(Resources.SERVICE_CIDRS, this::serviceRangeChanged);
    }
    if (names.isPresent()) {
      services.onOptional(Resources.NAMESPACES, this::namespaceChanged);
    }
  }

  private InformerSet allNodes() {
    return new InformerSet(source, loop, this::nodesChanged, this::cannotReadNodes)
        .on(Resources.NODES, this::nodeChanged);
  }

  private InformerSet ownNode() {
    return new InformerSet(source, loop, this::nodesChanged, this::warn)
        .on(
            ListRequest.of(Resources.NODES).fields("metadata.name=" + nodeName()),
            this::nodeChanged);
  }

  /** A cluster that shows a node no others has somebody else who makes routes. */
  private void cannotReadNodes(String why) {
    warn(why);
    if (isRefusal(why) && !nodeInformers.isSynced()) {
      nodeInformers.close();
      nodeInformers = ownNode();
      nodeInformers.start();
      routes.ifPresent(PodRoutes::leaveToOthers);
    }
  }

  private static boolean isRefusal(String why) {
    return why.contains("forbidden");
  }

  /** Makes it, to be begun; empty if all of it is left to others. */
  static Optional<ClusterNetwork> of(Parts parts) {
    AgentSettings.OwnNetwork looksAfter = parts.settings().dns().own();
    if (!looksAfter.services() && !looksAfter.routes() && !looksAfter.names()) {
      return Optional.empty();
    }
    return Optional.of(new ClusterNetwork(parts));
  }

  /** Whether pods of this node find the cluster's names where the cluster says so. */
  boolean servesNames() {
    return names.isPresent();
  }

  void begin() {
    loop.offer(() -> {
      nodeInformers.start();
      services.start();
    });
  }

  private String nodeName() {
    return settings.node().name();
  }

  private ServiceProxy makeProxy(Nft program) {
    return new ServiceProxy(
        new ServiceProxy.Parts(
            loop,
            PacketFilter.of(program),
            tableName(own),
            own,
            proxyNode(),
            (service, port, family) ->
                names.flatMap(server -> server.endpoints(service, port, family)),
            new ServiceProxy.Listener() {
              @Override
              public void healthPorts(Map<ObjectName, ServiceProxy.HealthPort> ports) {
                healthChecks.serve(ports);
              }

              @Override
              public void udpEndpoints(List<ServiceProxy.UdpService> services) {
                loop.call(() -> StaleFlows.remove(services), _ -> {});
              }

              @Override
              public void removed() {
                exempted = List.of();
                exempt(proxyNode().podRanges());
              }
            }));
  }

  private static String tableName(String own) {
    return own + "-services";
  }

  private ProxyNode proxyNode() {
    RoutedNode self = nodes.get(nodeName());
    return new ProxyNode(
        nodeName(),
        zone,
        self == null ? List.of() : self.addresses(),
        nodes.values().stream().flatMap(each -> each.podRanges().stream()).toList());
  }

  /** Told once, with what would help. */
  private void warn(String text) {
    if (warnings.add(text)) {
      LOG.warn(
          isRefusal(text)
              ? text
                  + "; services and routes need: kubectl create clusterrolebinding berth-nodes"
                  + " --clusterrole=system:node-proxier --group=system:nodes (or turn them off; see"
                  + " \"berth help node\")"
              : text);
    }
  }

  private void servicesSynced() {
    names.ifPresent(NodeNameServer::start);
    startProxy();
  }

  /** Rules that know no addresses of this node would take its node ports away for a moment. */
  private void startProxy() {
    if (services.isSynced() && nodeInformers.isSynced()) {
      proxy.ifPresent(ServiceProxy::start);
    }
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    String name = Metadata.of(after != null ? after : before(before)).name();
    Optional<RoutedNode> now = Optional.ofNullable(after).flatMap(RoutedNode::read);
    String zoneBefore = zone;
    if (name.equals(nodeName())) {
      zone = after == null ? "" : Metadata.of(after).labels().text(WellKnownLabels.ZONE, "");
    }
    boolean isSame = Optional.ofNullable(nodes.get(name)).equals(now) && zone.equals(zoneBefore);
    now.ifPresentOrElse(range -> nodes.put(name, range), () -> nodes.remove(name));
    if (!isSame && nodeInformers.isSynced()) {
      nodesChanged();
    }
  }

  private static JsonObject before(@Nullable JsonObject object) {
    return object == null ? JsonObject.EMPTY : object;
  }

  private void nodesChanged() {
    ProxyNode node = proxyNode();
    proxy.ifPresent(each -> each.nodeChanged(node));
    startProxy();
    routes.ifPresent(each -> each.nodesAre(nodes.values()));
    RoutedNode self = nodes.get(nodeName());
    names.ifPresent(each ->
        each.nodeIs(
            node.podRanges(),
            self == null ? List.of() : self.podRanges(),
            self == null ? List.of() : self.addresses()));
    exempt(node.podRanges());
    warnOfOverlap();
  }

  private List<Cidr> allServiceRanges() {
    return serviceRanges.values().stream().flatMap(List::stream).toList();
  }

  private void warnOfOverlap() {
    ServiceRangeOverlap.of(allServiceRanges(), nodes.values()).ifPresent(this::warn);
  }

  /** What goes to other nodes' pods keeps its address. */
  private void exempt(List<Cidr> ranges) {
    if (routes.isEmpty() || nft.isEmpty() || ranges.equals(exempted)) {
      return;
    }
    exempted = ranges;
    List<String> texts = ranges.stream().map(Cidr::toString).distinct().toList();
    RoutedNode self = nodes.get(nodeName());
    List<String> podCidrs =
        self == null ? List.of() : self.podRanges().stream().map(Cidr::toString).toList();
    loop.call(
        () -> {
          try {
            Masquerade.exempt(nft.get(), texts, own);
            if (!podCidrs.isEmpty() && Files.exists(BRIDGES.resolve(own))) {
              Masquerade.install(podCidrs, own);
            }
            return "";
          } catch (IOException e) {
            return String.valueOf(e.getMessage());
          }
        },
        why -> {
          if (!why.isEmpty()) {
            exempted = List.of();
            warn("pods of other nodes see this node's address instead of its pods': " + why);
          }
        });
  }

  private void serviceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    ObjectName name = ObjectName.of(after != null ? after : before(before));
    names.ifPresent(each -> each.serviceChanged(name, after));
    proxy.ifPresent(each -> each.serviceChanged(name, after));
  }

  private void sliceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    boolean hasMoved =
        before != null && after != null && !serviceOf(before).equals(serviceOf(after));
    if (after == null || hasMoved) {
      sliceIs(before, null);
    }
    sliceIs(after, after);
  }

  private static ObjectName serviceOf(JsonObject slice) {
    Metadata metadata = Metadata.of(slice);
    return new ObjectName(
        metadata.namespace(), metadata.labels().text(WellKnownLabels.SERVICE_NAME, ""));
  }

  private void sliceIs(@Nullable JsonObject slice, @Nullable JsonObject now) {
    if (slice == null) {
      return;
    }
    ObjectName service = serviceOf(slice);
    String name = Metadata.of(slice).name();
    if (!service.name().isEmpty()) {
      names.ifPresent(each -> each.sliceChanged(service, name, now));
      proxy.ifPresent(each -> each.sliceChanged(service, name, now));
    }
  }

  private void serviceRangeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    String name = Metadata.of(after != null ? after : before(before)).name();
    if (after == null) {
      serviceRanges.remove(name);
    } else {
      serviceRanges.put(
          name,
          after.object("spec").array("cidrs").texts().stream()
              .flatMap(each -> Cidr.parse(each).stream())
              .toList());
    }
    List<Cidr> all = allServiceRanges();
    proxy.ifPresent(each -> each.serviceRangesAre(all));
    warnOfOverlap();
  }

  private void namespaceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    String name = Metadata.of(after != null ? after : before(before)).name();
    names.ifPresent(each -> each.namespaceChanged(name, after != null));
  }

  private void namesChanged(ObjectName service) {
    proxy.ifPresent(each -> each.changed(service));
  }

  /**
   * What the node's status says of its network; empty if others look after routes. For any thread.
   *
   * @param shown the conditions that the server shows: routes outlive an agent
   */
  Optional<Condition> condition(List<Condition> shown) {
    return routes.map(each ->
        each.isAvailable() || wasAvailable(shown)
            ? KubeletConditions.untimed(
                Condition.NETWORK_UNAVAILABLE,
                ConditionStatus.FALSE,
                "RouteCreated",
                "RouteController created a route")
            : KubeletConditions.untimed(
                Condition.NETWORK_UNAVAILABLE,
                ConditionStatus.TRUE,
                "NoRouteCreated",
                "RouteController failed to create a route"));
  }

  private static boolean wasAvailable(List<Condition> shown) {
    return Condition.find(shown, Condition.NETWORK_UNAVAILABLE)
        .filter(each -> each.status() == ConditionStatus.FALSE)
        .isPresent();
  }

  /** Ends it; rules and routes stay for pods, which go on. */
  @Override
  public void close() {
    nodeInformers.close();
    services.close();
    loop.close();
    names.ifPresent(NodeNameServer::close);
    healthChecks.close();
  }

  /** Removes what an agent has left in the kernel. */
  static void remove(String own) throws IOException {
    Optional<Nft> nft = Nft.findQuietly();
    if (nft.isPresent()) {
      for (String table : List.of("ip ", "ip6 ")) {
        nft.get().removeTable(table + tableName(own));
      }
      nft.get().removeTable("inet " + own);
    }
    RouteTable table = new RouteTable(own, PROC);
    for (var route : table.routes()) {
      table.remove(route);
    }
  }
}
