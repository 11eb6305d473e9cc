package dev.berth.agent.config;

import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.policy.pressure.Thresholds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything about an agent that can be configured, by flags or by a KubeletConfiguration. {@link
 * #of} gives Kubernetes' defaults; the methods below change one part each.
 *
 * @param root where the agent keeps its pods, certificates and all else that outlives it
 */
public record AgentSettings(
    Path root,
    Node node,
    Heartbeats heartbeats,
    Reservations reservations,
    Eviction eviction,
    Pods pods,
    Dns dns,
    StaticPods staticPods,
    Logs logs,
    Port port,
    Certificates certificates) {

  /**
   * The node as it registers.
   *
   * @param name of the node; {@code hostname} is what its label and its address say
   * @param labels beside those that every node has; at registration only
   * @param taints at registration only
   * @param ips its addresses, one of each family at most; none for those of the default route's
   *     interface; {@code ::} for the same with IPv6 first
   * @param registers whether it makes its node, or waits until somebody else did
   * @param hasCloudProvider whether a cloud controller will initialize it and knows its addresses
   * @param providerId of the machine in its cloud; empty for none
   * @param controllerAttaches whether a controller attaches its volumes
   * @param mostImages how many images its status lists; -1 for all
   * @param extendedResources a file with further resources; see {@code ExtendedResourcesFile}
   */
  public record Node(
      String name,
      String hostname,
      Map<String, String> labels,
      List<Taint> taints,
      List<String> ips,
      boolean registers,
      boolean hasCloudProvider,
      String providerId,
      boolean controllerAttaches,
      int mostImages,
      Optional<Path> extendedResources) {
    public Node {
      labels = Map.copyOf(labels);
      taints = List.copyOf(taints);
      ips = List.copyOf(ips);
    }
  }

  /**
   * How it shows that it lives.
   *
   * @param statusUpdate how often its status is computed
   * @param statusReport how often it is reported if it has not changed
   * @param leaseDuration its lease is renewed four times in it
   */
  public record Heartbeats(Duration statusUpdate, Duration statusReport, Duration leaseDuration) {}

  /** What pods do not get. */
  public record Reservations(ResourceList system, ResourceList kube) {}

  /**
   * When pods are evicted because the node is short of something.
   *
   * @param transitionPeriod for how long a condition is reported after its cause
   * @param longestGrace what an evicted pod gets at most when a soft threshold was crossed
   * @param enforcesStorageLimits whether limits of ephemeral storage are looked after
   */
  public record Eviction(
      Thresholds.Written thresholds,
      Duration transitionPeriod,
      Duration longestGrace,
      boolean enforcesStorageLimits) {}

  /**
   * How pods run.
   *
   * @param perCore how many there may be for each processor; 0 for no such limit
   * @param pidLimit how many processes a pod may have; empty for no limit
   * @param syncFrequency how often each is looked at though nothing happened
   * @param enforcesCpuLimits whether limits of processor time hold
   * @param longestRestartDelay of a container that fails again and again
   * @param swap {@code NoSwap} or {@code LimitedSwap}
   * @param cidr for pods' addresses of a node that has none from the cluster; empty for none
   */
  public record Pods(
      int most,
      int perCore,
      OptionalLong pidLimit,
      Duration syncFrequency,
      boolean enforcesCpuLimits,
      Duration cpuPeriod,
      Duration longestRestartDelay,
      List<String> allowedUnsafeSysctls,
      boolean seccompByDefault,
      String swap,
      String cidr) {
    public Pods {
      allowedUnsafeSysctls = List.copyOf(allowedUnsafeSysctls);
    }
  }

  /**
   * What pods resolve names with.
   *
   * @param servers of the cluster; none for the machine's own
   * @param resolvConf the machine's own configuration; empty for none
   */
  public record Dns(List<String> servers, String domain, String resolvConf) {
    public Dns {
      servers = List.copyOf(servers);
    }
  }

  /**
   * Pods that are in no cluster's books.
   *
   * @param directory of their files, or one file; empty for none
   * @param url where else they are read from; empty for nowhere
   * @param urlHeaders for requests there
   */
  public record StaticPods(
      Optional<Path> directory,
      Duration directoryCheck,
      String url,
      Map<String, List<String>> urlHeaders,
      Duration urlCheck) {
    public StaticPods {
      urlHeaders = Map.copyOf(urlHeaders);
    }
  }

  /** What containers write. A file is begun anew at a size; only so many are kept. */
  public record Logs(Path directory, long fileBytes, int files) {}

  /**
   * The kubelet's port.
   *
   * @param address to listen at
   * @param number 0 for any that is free
   * @param certificateFile to serve with, beside {@code keyFile}; empty for one that the cluster
   *     signs or, without that, one of its own
   * @param clientCaFile whose clients are known by certificate; empty for the cluster's authority
   * @param authorizedTtl how long an answer of the API server is remembered
   * @param debugging whether logs, exec and the like are served
   * @param streamIdle after which an idle exec or port-forward ends
   */
  public record Port(
      String address,
      int number,
      Optional<Path> certificateFile,
      Optional<Path> keyFile,
      Optional<Path> clientCaFile,
      Duration authenticatedTtl,
      Duration authorizedTtl,
      Duration unauthorizedTtl,
      boolean debugging,
      Duration streamIdle) {}

  /**
   * The certificates that it asks the cluster for.
   *
   * @param rotates whether it renews the one that it is known by
   * @param serving whether it asks for one to serve with, too
   */
  public record Certificates(boolean rotates, boolean serving) {}

  public static AgentSettings of(String name, Path root) {
    return new AgentSettings(
        root,
        new Node(
            name,
            name,
            Map.of(),
            List.of(),
            List.of(),
            true,
            false,
            "",
            true,
            50,
            Optional.empty()),
        new Heartbeats(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofSeconds(40)),
        new Reservations(ResourceList.EMPTY, ResourceList.EMPTY),
        new Eviction(Thresholds.Written.DEFAULT, Duration.ofMinutes(5), Duration.ZERO, true),
        new Pods(
            110,
            0,
            OptionalLong.empty(),
            Duration.ofMinutes(1),
            true,
            Duration.ofMillis(100),
            Duration.ofMinutes(5),
            List.of(),
            false,
            "NoSwap",
            ""),
        new Dns(List.of(), "", "/etc/resolv.conf"),
        new StaticPods(
            Optional.empty(), Duration.ofSeconds(20), "", Map.of(), Duration.ofSeconds(20)),
        new Logs(root.resolve("logs"), 10 << 20, 5),
        new Port(
            "0.0.0.0",
            10250,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            true,
            Duration.ofHours(4)),
        new Certificates(true, true));
  }

  public AgentSettings with(Node changed) {
    return new AgentSettings(
        root,
        changed,
        heartbeats,
        reservations,
        eviction,
        pods,
        dns,
        staticPods,
        logs,
        port,
        certificates);
  }

  public AgentSettings with(Heartbeats changed) {
    return new AgentSettings(
        root,
        node,
        changed,
        reservations,
        eviction,
        pods,
        dns,
        staticPods,
        logs,
        port,
        certificates);
  }

  public AgentSettings with(Reservations changed) {
    return new AgentSettings(
        root, node, heartbeats, changed, eviction, pods, dns, staticPods, logs, port, certificates);
  }

  public AgentSettings with(Eviction changed) {
    return new AgentSettings(
        root,
        node,
        heartbeats,
        reservations,
        changed,
        pods,
        dns,
        staticPods,
        logs,
        port,
        certificates);
  }

  public AgentSettings with(Pods changed) {
    return new AgentSettings(
        root,
        node,
        heartbeats,
        reservations,
        eviction,
        changed,
        dns,
        staticPods,
        logs,
        port,
        certificates);
  }

  public AgentSettings with(Dns changed) {
    return new AgentSettings(
        root,
        node,
        heartbeats,
        reservations,
        eviction,
        pods,
        changed,
        staticPods,
        logs,
        port,
        certificates);
  }

  public AgentSettings with(StaticPods changed) {
    return new AgentSettings(
        root,
        node,
        heartbeats,
        reservations,
        eviction,
        pods,
        dns,
        changed,
        logs,
        port,
        certificates);
  }

  public AgentSettings with(Logs changed) {
    return new AgentSettings(
        root,
        node,
        heartbeats,
        reservations,
        eviction,
        pods,
        dns,
        staticPods,
        changed,
        port,
        certificates);
  }

  public AgentSettings with(Port changed) {
    return new AgentSettings(
        root,
        node,
        heartbeats,
        reservations,
        eviction,
        pods,
        dns,
        staticPods,
        logs,
        changed,
        certificates);
  }

  public AgentSettings with(Certificates changed) {
    return new AgentSettings(
        root, node, heartbeats, reservations, eviction, pods, dns, staticPods, logs, port, changed);
  }
}
