package dev.berth.agent.dns;

import dev.berth.model.network.ServicePort;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import dev.berth.policy.dns.ClusterDnsService;
import dev.berth.policy.dns.ClusterZone;
import dev.berth.policy.proxy.ProxyEndpoint;
import dev.berth.time.Loop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the cluster's names to the pods of this node, while there is a Service that says so. It
 * listens at the address that the node has among its pods, or else at the node's own; the rules for
 * services lead there. Lives on a loop; questions are answered beside it.
 */
public final class NodeNameServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("cluster-dns");
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration CHECK = Duration.ofSeconds(30);

  /** How often to look for the address among pods, which comes with the first of them. */
  private static final int WAITS_FOR_BRIDGE = 5;

  private final Loop loop;
  private final String resolvConf;
  private final RandomGenerator random;
  private final Consumer<ObjectName> changed;
  private final ClusterRecords records = new ClusterRecords();
  private final Map<Family, Serving> serving = new EnumMap<>(Family.class);
  private Optional<ClusterDnsService> service = Optional.empty();
  private List<Cidr> ownRanges = List.of();
  private List<String> ownAddresses = List.of();
  private boolean isStarted;
  private boolean isBinding;
  private int attempts;

  /** Whose questions are answered. */
  private volatile List<Cidr> podRanges = List.of();

  private volatile boolean isClosed;

  private record Serving(InetAddress address, DnsServer server) {}

  /**
   * @param resolvConf the machine's own configuration
   * @param changed told the service whose endpoints on this node have changed
   */
  public NodeNameServer(
      Loop loop, String resolvConf, RandomGenerator random, Consumer<ObjectName> changed) {
    this.loop = loop;
    this.resolvConf = resolvConf;
    this.random = random;
    this.changed = changed;
  }

  /** Begins, once all that was there at the beginning has been told. */
  public void start() {
    isStarted = true;
    sync();
    check();
  }

  public void serviceChanged(ObjectName name, @Nullable JsonObject now) {
    records.serviceChanged(name, now);
    if (name.equals(ClusterDnsService.NAME)) {
      Optional<ClusterDnsService> before = service;
      service = Optional.ofNullable(now).flatMap(ClusterDnsService::read);
      records.nameServersAre(service.map(ClusterDnsService::addresses).orElse(List.of()));
      if (!before.equals(service)) {
        stop();
        sync();
      }
    }
  }

  public void sliceChanged(ObjectName of, String slice, @Nullable JsonObject now) {
    records.sliceChanged(of, slice, now);
  }

  public void namespaceChanged(String name, boolean exists) {
    records.namespaceChanged(name, exists);
  }

  /**
   * What is known of this node.
   *
   * @param all the ranges of all nodes' pods
   */
  public void nodeIs(List<Cidr> all, List<Cidr> ranges, List<String> addresses) {
    podRanges = List.copyOf(all);
    ownRanges = List.copyOf(ranges);
    ownAddresses = List.copyOf(addresses);
    sync();
  }

  /** Where packets to the name server go on this node; empty if the service is not ours. */
  public Optional<List<ProxyEndpoint>> endpoints(ObjectName of, ServicePort port, Family family) {
    if (!of.equals(ClusterDnsService.NAME) || service.isEmpty()) {
      return Optional.empty();
    }
    Serving here = serving.get(family);
    if (here == null) {
      return Optional.of(List.of());
    }
    int number = port.protocol().equals("UDP") ? here.server().udpPort() : here.server().tcpPort();
    return Optional.of(List.of(ProxyEndpoint.of(here.address().getHostAddress(), number, true)));
  }

  private void stop() {
    serving.values().forEach(each -> each.server().close());
    serving.clear();
    attempts = 0;
  }

  private List<Family> missing() {
    return service.map(ClusterDnsService::addresses).orElse(List.of()).stream()
        .flatMap(address -> Cidr.parseAddress(address).stream())
        .map(Cidr::family)
        .filter(family -> !serving.containsKey(family))
        .toList();
  }

  private void sync() {
    List<Family> missing = missing();
    if (!isStarted || isBinding || missing.isEmpty()) {
      return;
    }
    String domain = service.orElseThrow().domain();
    List<Cidr> ranges = ownRanges;
    List<String> addresses = attempts < WAITS_FOR_BRIDGE ? List.of() : ownAddresses;
    attempts++;
    isBinding =
        loop.call(
            () -> bind(domain, missing, ranges, addresses),
            bound -> {
              isBinding = false;
              bound(domain, bound);
            });
  }

  private void bound(String domain, Map<Family, Serving> bound) {
    boolean isCurrent =
        !isClosed && service.filter(each -> each.domain().equals(domain)).isPresent();
    if (!isCurrent) {
      bound.values().forEach(each -> each.server().close());
    } else if (!bound.isEmpty()) {
      serving.putAll(bound);
      changed.accept(ClusterDnsService.NAME);
    }
    if (!missing().isEmpty()) {
      loop.after(AGAIN, this::sync);
    }
  }

  /** Runs beside the loop. */
  private Map<Family, Serving> bind(
      String domain, List<Family> families, List<Cidr> ranges, List<String> addresses) {
    Map<Family, Serving> bound = new EnumMap<>(Family.class);
    for (Family family : families) {
      List<String> candidates = new ArrayList<>();
      ranges.stream()
          .filter(range -> range.family() == family)
          .forEach(range -> candidates.add(gateway(range)));
      addresses.stream()
          .filter(each -> Cidr.parseAddress(each).map(Cidr::family).equals(Optional.of(family)))
          .forEach(candidates::add);
      for (String candidate : candidates) {
        InetAddress address = InetAddress.ofLiteral(candidate);
        if (!bound.containsKey(family) && isOfThisMachine(address)) {
          try {
            bound.put(family, new Serving(address, DnsServer.start(address, manner(domain))));
          } catch (IOException e) {
            LOG.atWarn()
                .addKeyValue("address", candidate)
                .addKeyValue("reason", e.getMessage())
                .log("cannot serve the cluster's names");
          }
        }
      }
    }
    return bound;
  }

  /** The first address of a range is the node's own among its pods. */
  private static String gateway(Cidr range) {
    return switch (range.family()) {
      case IPV4 -> new Cidr(Family.IPV4, range.high() + (1L << Integer.SIZE), 0, 32).address();
      case IPV6 -> new Cidr(Family.IPV6, range.high(), range.low() + 1, 128).address();
    };
  }

  private DnsServer.Manner manner(String domain) {
    return new DnsServer.Manner(
        new ClusterZone(domain, records),
        resolvConf,
        address -> records.nameServers().contains(address),
        this::isClient,
        random);
  }

  private boolean isClient(InetAddress address) {
    Optional<Cidr> client = Cidr.parseAddress(address.getHostAddress().replaceFirst("%.*", ""));
    List<Cidr> ranges = podRanges;
    boolean isPod =
        client.isPresent()
            && (ranges.stream().anyMatch(range -> range.contains(client.get()))
                || (ranges.isEmpty() && address.isSiteLocalAddress()));
    return isPod || isOfThisMachine(address);
  }

  private static boolean isOfThisMachine(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /** An address may go, with its device or because the machine got another one. */
  private void check() {
    loop.after(
        CHECK,
        () -> {
          boolean isLost =
              serving.values().stream().anyMatch(each -> !isOfThisMachine(each.address()));
          if (isLost) {
            stop();
            changed.accept(ClusterDnsService.NAME);
            sync();
          }
          check();
        });
  }

  @Override
  public void close() {
    isClosed = true;
    serving.values().forEach(each -> each.server().close());
  }
}
