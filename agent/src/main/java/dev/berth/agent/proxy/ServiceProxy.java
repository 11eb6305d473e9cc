package dev.berth.agent.proxy;

import dev.berth.agent.network.SlicesByService;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.network.ProxiedService;
import dev.berth.model.network.ServicePort;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import dev.berth.policy.proxy.BaseRules;
import dev.berth.policy.proxy.ProxyEndpoint;
import dev.berth.policy.proxy.ProxyNode;
import dev.berth.policy.proxy.ProxyRules;
import dev.berth.policy.proxy.RuleFragment;
import dev.berth.time.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps the kernel's rules for services as they should be. Lives on a loop, whose tasks tell it
 * what has changed; programs run beside the loop, one at a time, and what changes meanwhile is the
 * next one's.
 *
 * <p>Nothing is durable: an agent that starts replaces the table of the last one as a whole, in one
 * transaction, so that connections go on, and clients stay with their endpoints ({@link
 * KnownClients}). After a failure, or if somebody has removed the table, it does the same.
 */
public final class ServiceProxy {
  private static final Logger LOG = LoggerFactory.getLogger("service-proxy");

  private static final Duration CHECK = Duration.ofSeconds(30);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);
  private static final Duration CHAINS_ARE_FREE = Duration.ofSeconds(2);

  /** Before all services in the order of owners. */
  private static final String BASE = "";

  /** Told what happens beside rules. */
  public interface Listener {
    /** The services whose health ports a load balancer may ask, with their endpoints here. */
    void healthPorts(Map<ObjectName, HealthPort> ports);

    /** Endpoints of UDP services have changed: these are the ones that there are. */
    void udpEndpoints(List<UdpService> services);

    /** Somebody has removed the rules, and perhaps not these alone. */
    void removed();
  }

  /** A port at which load balancers ask, and how many endpoints the service has on this node. */
  public record HealthPort(int port, int localEndpoints) {}

  /** A UDP port of a service, and the endpoints that serve. */
  public record UdpService(Set<String> addresses, int port, int nodePort, Set<String> endpoints) {}

  /**
   * What to make it of.
   *
   * @param table the name of the table, which must be no other agent's
   * @param bridge of this node's pods
   * @param own endpoints that this node has for services of its own, such as its name server
   */
  public record Parts(
      Loop loop,
      PacketFilter filter,
      String table,
      String bridge,
      ProxyNode node,
      LocalEndpoints own,
      Listener listener) {}

  /** Endpoints that are in no EndpointSlice. */
  public interface LocalEndpoints {
    /** Those of a service's port; empty for a service like all others. */
    Optional<List<ProxyEndpoint>> of(ObjectName service, ServicePort port, Family family);
  }

  private final Loop loop;
  private final PacketFilter filter;
  private final LocalEndpoints own;
  private final Listener listener;
  private final List<RuleTable> tables;

  private final SortedMap<ObjectName, ProxiedService> services = new TreeMap<>();
  private final SlicesByService slices = new SlicesByService();
  private final Map<ObjectName, HealthPort> healthPorts = new TreeMap<>();
  private final Set<ObjectName> dirty = new TreeSet<>();
  private ProxyNode node;
  private List<Cidr> serviceRanges = List.of();
  private boolean isNodeDirty = true;
  private boolean isStarted;
  private boolean isRunning;
  private boolean mustReplace = true;
  private int failures;
  private Loop.@Nullable Timer retry;

  public ServiceProxy(Parts parts) {
    loop = parts.loop();
    filter = parts.filter();
    own = parts.own();
    listener = parts.listener();
    node = parts.node();
    tables =
        Stream.of(Family.values())
            .map(family ->
                new RuleTable(family, parts.table(), new BaseRules(family, parts.bridge())))
            .toList();
  }

  /** Begins, once all that was there at the beginning has been told. */
  public void start() {
    if (!isStarted) {
      isStarted = true;
      run();
      check();
    }
  }

  public void serviceChanged(ObjectName name, @Nullable JsonObject service) {
    Optional<ProxiedService> read =
        service == null ? Optional.empty() : ProxiedService.read(service);
    boolean isSame = Optional.ofNullable(services.get(name)).equals(read);
    if (isSame) {
      return;
    }
    read.ifPresentOrElse(each -> services.put(name, each), () -> services.remove(name));
    changed(name);
  }

  /**
   * A slice of a service has changed, or is no more. One that is called headless is for names
   * alone, whatever addresses its service has.
   */
  public void sliceChanged(ObjectName service, String slice, @Nullable JsonObject now) {
    boolean isHeadless =
        now != null && Metadata.of(now).labels().has(WellKnownLabels.HEADLESS_SERVICE);
    slices.put(service, slice, isHeadless ? null : now);
    if (services.containsKey(service)) {
      changed(service);
    }
  }

  public void nodeChanged(ProxyNode now) {
    if (now.equals(node)) {
      return;
    }
    boolean isLocal = now.name().equals(node.name()) && now.zone().equals(node.zone());
    boolean hasSameRanges = now.podRanges().isEmpty() == node.podRanges().isEmpty();
    node = now;
    isNodeDirty = true;
    if (!isLocal || !hasSameRanges || hasSourceRanges()) {
      dirty.addAll(services.keySet());
    }
    run();
  }

  /** From which services get their addresses. */
  public void serviceRangesAre(List<Cidr> now) {
    if (!now.equals(serviceRanges)) {
      serviceRanges = now;
      isNodeDirty = true;
      run();
    }
  }

  private boolean hasSourceRanges() {
    return services.values().stream().anyMatch(each -> !each.sourceRanges().isEmpty());
  }

  /** What a service leads to has changed without a slice. */
  public void changed(ObjectName service) {
    dirty.add(service);
    run();
  }

  private void run() {
    if (!isStarted || isRunning || retry != null) {
      return;
    }
    Set<ObjectName> changed = new HashSet<>(dirty);
    dirty.clear();
    if (isNodeDirty) {
      tables.forEach(table -> table.put(BASE, table.base().fragment(node, serviceRanges)));
      isNodeDirty = false;
    }
    changed.forEach(this::put);
    boolean replaces = mustReplace;
    // Without rules, packets have found ways of their own.
    List<UdpService> udp = udp(replaces ? services.keySet() : changed);
    StringBuilder commands = new StringBuilder();
    tables.forEach(table -> commands.append(replaces ? table.everything() : table.changes()));
    Map<String, Set<String>> replaced = new TreeMap<>();
    if (replaces) {
      tables.forEach(table -> replaced.put(table.name(), table.ownedSets()));
    }
    if (commands.isEmpty()) {
      tell(udp);
      return;
    }
    isRunning = true;
    boolean isUnderWay =
        loop.call(
            () -> {
              replaced.forEach((table, sets) -> commands.append(knownClients(table, sets)));
              return apply(commands.toString());
            },
            failure -> {
              isRunning = false;
              failure.ifPresentOrElse(
                  this::failed,
                  () -> {
                    mustReplace = false;
                    failures = 0;
                    tell(udp);
                    deleteChains();
                    run();
                  });
            });
    if (!isUnderWay) {
      isRunning = false;
      failed("too much is under way");
    }
  }

  private void tell(List<UdpService> udp) {
    listener.healthPorts(Map.copyOf(healthPorts));
    if (!udp.isEmpty()) {
      listener.udpEndpoints(udp);
    }
  }

  private String knownClients(String table, Set<String> sets) {
    return sets.isEmpty() ? "" : KnownClients.commands(table, filter.sets(table), sets);
  }

  private Optional<String> apply(String commands) {
    try {
      filter.apply(commands);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** What the kernel has is not known any more. */
  private void failed(String why) {
    failures++;
    mustReplace = true;
    Duration delay = Duration.ofSeconds(1L << Math.min(failures, 5));
    LOG.atLevel(failures == 1 ? Level.WARN : Level.DEBUG)
        .addKeyValue("reason", why)
        .log("cannot change the rules for services; trying again");
    retry =
        loop.after(
            delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY,
            () -> {
              retry = null;
              run();
            });
  }

  private void put(ObjectName name) {
    ProxiedService service = services.get(name);
    healthPorts.remove(name);
    for (RuleTable table : tables) {
      Family family = table.family();
      RuleFragment fragment =
          service == null
              ? RuleFragment.EMPTY
              : ProxyRules.of(service, family, node, port -> endpoints(name, port, family));
      table.put(name.toString(), fragment);
    }
    if (service != null && service.healthCheckPort() != 0) {
      healthPorts.put(name, new HealthPort(service.healthCheckPort(), readyHere(service)));
    }
  }

  private List<UdpService> udp(Collection<ObjectName> names) {
    List<UdpService> udp = new ArrayList<>();
    for (ObjectName name : names) {
      ProxiedService service = services.get(name);
      if (service != null) {
        service.ports().stream()
            .filter(port -> port.protocol().equals("UDP"))
            .forEach(port -> udp.add(udp(service, port)));
      }
    }
    return udp;
  }

  private List<ProxyEndpoint> endpoints(ObjectName name, ServicePort port, Family family) {
    Collection<JsonObject> known = slices.of(name);
    return own.of(name, port, family)
        .orElseGet(() -> ProxyEndpoint.of(known, family, port, node.name()));
  }

  private int readyHere(ProxiedService service) {
    Set<String> addresses = new HashSet<>();
    for (ServicePort port : service.ports()) {
      for (Family family : Family.values()) {
        endpoints(service.name(), port, family).stream()
            .filter(each -> each.ready() && each.local())
            .forEach(each -> addresses.add(each.address()));
      }
    }
    return addresses.size();
  }

  private UdpService udp(ProxiedService service, ServicePort port) {
    Set<String> addresses = new HashSet<>();
    Stream.of(service.clusterIps(), service.externalIps(), service.ingressIps())
        .flatMap(List::stream)
        .forEach(each -> addresses.add(StaleFlows.address(each)));
    Set<String> endpoints = new HashSet<>();
    for (Family family : Family.values()) {
      endpoints(service.name(), port, family).stream()
          .filter(ProxyEndpoint::serving)
          .forEach(each -> endpoints.add(each.address() + " " + each.port()));
    }
    return new UdpService(addresses, (int) port.port(), (int) port.nodePort(), endpoints);
  }

  private void deleteChains() {
    if (tables.stream().anyMatch(RuleTable::hasDeletions)) {
      loop.after(CHAINS_ARE_FREE, this::deleteNow);
    }
  }

  private void deleteNow() {
    if (isRunning || retry != null || mustReplace) {
      return; // the next one deletes them
    }
    StringBuilder commands = new StringBuilder();
    tables.forEach(table -> commands.append(table.deletions()));
    if (commands.isEmpty()) {
      return;
    }
    aside(() -> apply(commands.toString()), failure -> failure.ifPresent(this::failed));
  }

  private void check() {
    loop.after(
        CHECK,
        () -> {
          if (!isRunning && retry == null && !mustReplace) {
            aside(
                this::isInPlace,
                isInPlace -> {
                  if (!isInPlace) {
                    LOG.warn("somebody has removed the rules for services; they are made anew");
                    mustReplace = true;
                    listener.removed();
                  }
                });
          }
          check();
        });
  }

  private boolean isInPlace() {
    return tables.stream().allMatch(table -> filter.hasChain(table.name(), "services"));
  }

  /** Does something beside the loop while no rules are changed. */
  private <T> void aside(Supplier<T> work, Consumer<T> then) {
    isRunning =
        loop.call(
            work,
            result -> {
              isRunning = false;
              then.accept(result);
              run();
            });
  }
}
