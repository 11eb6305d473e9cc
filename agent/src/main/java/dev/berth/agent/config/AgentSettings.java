package dev.berth.agent.config;

import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.policy.image.ImageGarbage;
import dev.berth.policy.image.ImageVerification;
import dev.berth.policy.pressure.Thresholds;
import dev.berth.policy.shutdown.ShutdownPeriods;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

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
    Certificates certificates,
    RuntimeSettings runtime) {

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
   * @param swap {@code NoSwap}, {@code LimitedSwap} or {@code UnlimitedSwap}
   * @param cidr for pods' addresses of a node that has none from the cluster; empty for none
   * @param shutdown what they get to end when the machine is shut down
   * @param failsWithSwap whether a machine that swaps cannot be a node
   * @param killsSingly whether a container that has used up its memory loses one process rather
   *     than all; empty for what the machine's cgroups do
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
      String cidr,
      ShutdownPeriods shutdown,
      boolean failsWithSwap,
      Optional<Boolean> killsSingly,
      ManagerSettings managers) {
    public Pods {
      allowedUnsafeSysctls = List.copyOf(allowedUnsafeSysctls);
    }

    public Pods with(ManagerSettings changed) {
      return with(changed, failsWithSwap);
    }

    public Pods withFailingSwap(boolean fails) {
      return with(managers, fails);
    }

    private Pods with(ManagerSettings newManagers, boolean fails) {
      return new Pods(
          most,
          perCore,
          pidLimit,
          syncFrequency,
          enforcesCpuLimits,
          cpuPeriod,
          longestRestartDelay,
          allowedUnsafeSysctls,
          seccompByDefault,
          swap,
          cidr,
          shutdown,
          fails,
          killsSingly,
          newManagers);
    }
  }

  /**
   * How pods find and reach others.
   *
   * @param servers of the cluster; none for what the cluster says, or else the machine's own
   * @param domain of the cluster; empty for what the cluster says
   * @param resolvConf the machine's own configuration; empty for none
   */
  public record Dns(List<String> servers, String domain, String resolvConf, OwnNetwork own) {
    public Dns {
      servers = List.copyOf(servers);
    }
  }

  /**
   * What of the cluster's network the agent looks after itself; all else is for whoever brings it.
   *
   * @param services whether packets to services are led to their endpoints
   * @param routes whether there are routes to other nodes' pods
   * @param names whether the cluster's names are served to this node's pods
   */
  public record OwnNetwork(boolean services, boolean routes, boolean names) {
    public static final OwnNetwork ALL = new OwnNetwork(true, true, true);
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
   * @param systemLogs which of the machine's logs are served
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
      SystemLogs systemLogs) {}

  /** Which of the machine's logs are served: its files, and what its services have logged. */
  public enum SystemLogs {
    NONE,
    FILES,
    FILES_AND_QUERIES
  }

  /**
   * The certificates that it asks the cluster for.
   *
   * @param rotates whether it renews the one that it is known by
   * @param serving whether it asks for one to serve with, too
   */
  public record Certificates(boolean rotates, boolean serving) {}

  /**
   * What runs containers.
   *
   * @param endpoint of a runtime that speaks CRI, such as {@code
   *     unix:///run/containerd/containerd.sock}; empty to run them as processes
   * @param imageEndpoint of what keeps its images; empty for the same
   * @param timeout how long it may take to do one thing
   * @param parallelPulls how many images are pulled at once
   * @param images when they are removed
   * @param verification of which of them it is verified that a pod may use them
   */
  public record RuntimeSettings(
      String endpoint,
      String imageEndpoint,
      Duration timeout,
      int parallelPulls,
      ImageGarbage.Settings images,
      ImageVerification verification) {}

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
            "LimitedSwap",
            "",
            ShutdownPeriods.NONE,
            true,
            Optional.empty(),
            ManagerSettings.DEFAULT),
        new Dns(List.of(), "", "/etc/resolv.conf", OwnNetwork.ALL),
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
            SystemLogs.FILES),
        new Certificates(true, true),
        new RuntimeSettings(
            "",
            "",
            Duration.ofMinutes(2),
            1,
            ImageGarbage.Settings.DEFAULT,
            ImageVerification.DEFAULT));
  }

  public AgentSettings with(Node changed) {
    return change(parts -> parts.node = changed);
  }

  public AgentSettings with(Heartbeats changed) {
    return change(parts -> parts.heartbeats = changed);
  }

  public AgentSettings with(Reservations changed) {
    return change(parts -> parts.reservations = changed);
  }

  public AgentSettings with(Eviction changed) {
    return change(parts -> parts.eviction = changed);
  }

  public AgentSettings with(Pods changed) {
    return change(parts -> parts.pods = changed);
  }

  public AgentSettings with(Dns changed) {
    return change(parts -> parts.dns = changed);
  }

  public AgentSettings with(StaticPods changed) {
    return change(parts -> parts.staticPods = changed);
  }

  public AgentSettings with(Logs changed) {
    return change(parts -> parts.logs = changed);
  }

  public AgentSettings with(Port changed) {
    return change(parts -> parts.port = changed);
  }

  public AgentSettings with(Certificates changed) {
    return change(parts -> parts.certificates = changed);
  }

  public AgentSettings with(RuntimeSettings changed) {
    return change(parts -> parts.runtime = changed);
  }

  private AgentSettings change(Consumer<Changed> change) {
    Changed changed = new Changed(this);
    change.accept(changed);
    return changed.settings();
  }

  /** Settings of which one part is about to be another. */
  private static final class Changed {
    private final Path root;
    private Node node;
    private Heartbeats heartbeats;
    private Reservations reservations;
    private Eviction eviction;
    private Pods pods;
    private Dns dns;
    private StaticPods staticPods;
    private Logs logs;
    private Port port;
    private Certificates certificates;
    private RuntimeSettings runtime;

    Changed(AgentSettings before) {
      root = before.root;
      node = before.node;
      heartbeats = before.heartbeats;
      reservations = before.reservations;
      eviction = before.eviction;
      pods = before.pods;
      dns = before.dns;
      staticPods = before.staticPods;
      logs = before.logs;
      port = before.port;
      certificates = before.certificates;
      runtime = before.runtime;
    }

    AgentSettings settings() {
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
          port,
          certificates,
          runtime);
    }
  }
}
