package dev.berth.agent;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.device.AgentSocket;
import dev.berth.agent.device.CountedPodResources;
import dev.berth.agent.device.DeviceManager;
import dev.berth.agent.device.LazyTransport;
import dev.berth.agent.device.PodResources;
import dev.berth.agent.environment.ContainerEnvironment;
import dev.berth.agent.eviction.EvictionManager;
import dev.berth.agent.eviction.NodeReclaim;
import dev.berth.agent.eviction.ResourceObserver;
import dev.berth.agent.image.ImageAccess;
import dev.berth.agent.image.ImageCollector;
import dev.berth.agent.join.CertificatePurpose;
import dev.berth.agent.join.NodeFiles;
import dev.berth.agent.join.ServingNames;
import dev.berth.agent.join.ServingTrust;
import dev.berth.agent.machine.MachineInfo;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.machine.NetworkAddresses;
import dev.berth.agent.node.NodeAgent;
import dev.berth.agent.node.NodeFactsReader;
import dev.berth.agent.node.NodeSources;
import dev.berth.agent.node.RuntimeFeatures;
import dev.berth.agent.objects.NodeObjects;
import dev.berth.agent.objects.WatchedObjects;
import dev.berth.agent.pod.PodAgent;
import dev.berth.agent.pod.PodSettings;
import dev.berth.agent.podspec.SpecSettings;
import dev.berth.agent.probe.NetworkConnections;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.process.ProcessSettings;
import dev.berth.agent.server.NodeParts;
import dev.berth.agent.server.NodeServer;
import dev.berth.agent.server.NodeServerConfig;
import dev.berth.agent.shutdown.Logind;
import dev.berth.agent.shutdown.ShutdownManager;
import dev.berth.agent.topology.ManagerPlan;
import dev.berth.agent.topology.ResourceManagers;
import dev.berth.agent.volume.DirectoryCleanup;
import dev.berth.agent.volume.MountedVolumes;
import dev.berth.agent.volume.VolumeMetrics;
import dev.berth.client.Api;
import dev.berth.http.ServerTls;
import dev.berth.model.core.Condition;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.ClientCertificates;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.NodeCredential;
import dev.berth.pki.RequestedNames;
import dev.berth.pki.ServerNames;
import dev.berth.policy.device.DeviceCapacity;
import dev.berth.policy.dns.ClusterDnsService;
import dev.berth.policy.swap.SwapBehavior;
import dev.berth.policy.swap.SwapRules;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All parts of an agent that decide and report, from one start to its end. */
final class RunningNode implements AutoCloseable {
  /** How many containers are being started at once: each waits for others half of the time. */
  private static final int PARALLEL_STARTS =
      Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  private final AgentSettings settings;
  private final Agent.Parts parts;
  private final ContainerRuntime runtime;
  private final Time time;

  private final ServingTrust trust;

  /** Whose certificates clients of the port may have. */
  private final ClientCertificates clients;

  /** What the port is served with now. */
  private ServerTls serving;

  /** What closes all that was begun, the newest first. */
  private final Deque<Runnable> started = new ArrayDeque<>();

  private final ShutdownManager shutdown;
  private final DeviceManager devices;
  private final ResourceManagers resources;
  private final Optional<ClusterNetwork> network;
  private final NodeAgent node;
  private final NodeObjects objects;
  private final MountedVolumes volumes;
  private final PodAgent pods;
  private final EvictionManager eviction;
  private final NodeServer server;

  /** Told of what the others know once they are there. */
  private final Sources sources = new Sources();

  private RunningNode(
      AgentSettings settings,
      Agent.Parts parts,
      ContainerRuntime runtime,
      ManagerPlan managers,
      Time time) {
    this.settings = settings;
    this.parts = parts;
    this.runtime = runtime;
    this.time = time;
    trust = servingTrust();
    ServingFiles.Content files = ServingFiles.Content.read(settings.port());
    clients = new ClientCertificates(files.authorities().orElse(parts.authorities()));
    serving = firstCertificate(files);
    MachineReader machine = MachineReader.ofThisMachine();
    // Before anything is let in that a machine which is shut down would only end again.
    shutdown = begun(openShutdown(machine), ShutdownManager::close);
    LazyTransport transport = begun(new LazyTransport(), LazyTransport::close);
    devices = startDevices(transport);
    resources =
        ResourceManagers.start(
            new ResourceManagers.Parts(
                time,
                parts.metrics(),
                settings.root(),
                managers,
                devices,
                this::placementsChanged));
    serveResources(transport);
    sources.devices = devices;
    network =
        ClusterNetwork.of(
            new ClusterNetwork.Parts(
                parts.api(),
                time,
                settings,
                ProcessSettings.ownName(settings.root()),
                this::networkAvailable));
    network.ifPresent(each -> begun(each, ClusterNetwork::close));
    node =
        begun(
            NodeAgent.start(
                new NodeAgent.Parts(
                    parts.api(),
                    time,
                    settings,
                    new NodeFactsReader(
                        settings, machine, NetworkAddresses.ofThisMachine(), sources),
                    sources,
                    parts.refused())),
            NodeAgent::close);
    Loop forObjects = begun(time.start("node-objects"), Loop::close);
    objects =
        begun(
            NodeObjects.of(parts.api(), time, forObjects, this::objectsChanged),
            NodeObjects::close);
    objects.watched().start();
    volumes = new MountedVolumes(settings.root(), time, objects, node);
    new DirectoryCleanup(parts.api(), forObjects, node, settings.root()).start();
    ImageAccess images =
        new ImageAccess(time, runtime, settings.runtime().verification(), settings.root());
    pods =
        begun(
            PodAgent.start(
                new PodAgent.Parts(
                    parts.api(),
                    time,
                    parts.metrics(),
                    node,
                    runtime,
                    volumes,
                    resources,
                    objects.watched(),
                    new ContainerEnvironment(objects.watched()),
                    new NetworkConnections(),
                    images,
                    podSettings(machine.info()))),
            PodAgent::close);
    node.onRecovery(pods::retryNow);
    VolumeMetrics.show(parts.metrics(), volumes, pods::pods);
    parts
        .metrics()
        .lookedUp(
            "kubelet_cgroup_version",
            "cgroup version on the hosts.",
            List.of(),
            action -> action.accept(List.of(), Cgroups.isVersion2(Path.of("/sys")) ? 2d : 1d));
    ImageCollector collector =
        begun(
            ImageCollector.start(
                new ImageCollector.Parts(
                    time,
                    parts.metrics(),
                    runtime,
                    images,
                    settings.runtime().images(),
                    node::warn)),
            ImageCollector::close);
    eviction =
        begun(
            EvictionManager.start(
                new EvictionManager.Parts(
                    parts.api(),
                    time,
                    parts.metrics(),
                    settings,
                    pods,
                    new ResourceObserver.OfMachine(settings, machine, runtime),
                    new NodeReclaim.OfRuntime(runtime, collector),
                    node::refresh)),
            EvictionManager::close);
    server = begun(startServer(parts.api(), machine), NodeServer::close);
    if (files.isPresent()) {
      begun(ServingFiles.watch(time, settings.port(), files, this::serve), ServingFiles::close);
    }
    begun(
        AllocatableEnforcement.start(
            time,
            runtime,
            AllocatableEnforcement.allocatable(machine, settings.reservations()),
            new AllocatableEnforcement.Events(node::tell, node::warn)),
        AllocatableEnforcement::close);
    sources.others = this;
    shutdown.start(new ShutdownReports(node), pods);
    network.ifPresent(ClusterNetwork::begin);
  }

  static RunningNode start(
      AgentSettings settings,
      Agent.Parts parts,
      ContainerRuntime runtime,
      ManagerPlan managers,
      Time time) {
    return new RunningNode(settings, parts, runtime, managers, time);
  }

  private ShutdownManager openShutdown(MachineReader machine) {
    return ShutdownManager.open(
        new ShutdownManager.Parts(
            time,
            parts.metrics(),
            settings.pods().shutdown(),
            settings.root(),
            machine.info().identity().bootId(),
            Logind::connect));
  }

  private record ShutdownReports(NodeAgent node) implements ShutdownManager.Node {
    @Override
    public void report(Runnable then) {
      node.refresh(then);
    }

    @Override
    public void event(String reason, String note) {
      node.tell(reason, note);
    }
  }

  private <T> T begun(T part, Consumer<T> close) {
    started.push(() -> close.accept(part));
    return part;
  }

  private void placementsChanged() {
    RunningNode others = sources.others;
    if (others != null) {
      others.pods.placementsChanged();
    }
  }

  private void objectsChanged(String podUid) {
    RunningNode others = sources.others;
    if (others != null) {
      others.pods.volumesChanged(podUid);
    }
  }

  private DeviceManager startDevices(LazyTransport transport) {
    Path sockets = settings.root().resolve("device-plugins");
    return begun(
        DeviceManager.start(
            new DeviceManager.Parts(
                time,
                parts.metrics(),
                sockets,
                settings.root().resolve("device-assignments.json"),
                transport,
                this::devicesChanged,
                this::objectsChanged)),
        DeviceManager::close);
  }

  /** Laid out as kubelets do. What serves plugins is the last to begin and the first to end. */
  private void serveResources(LazyTransport transport) {
    Path inner = settings.root().resolve("grpc");
    AgentSocket.forPlugins(
            settings.root().resolve("device-plugins"),
            inner.resolve("registration.sock"),
            transport,
            devices)
        .ifPresent(socket -> begun(socket, AgentSocket::close));
    AgentSocket.forPodResources(
            settings.root().resolve("pod-resources"),
            inner.resolve("pod-resources.sock"),
            transport,
            new CountedPodResources(
                new PodResources(this::knownPods, devices, resources), parts.metrics()))
        .ifPresent(socket -> begun(socket, AgentSocket::close));
  }

  /** What the settings say, or else what the cluster does, once its services are known. */
  private Optional<SpecSettings.ClusterNames> clusterNames() {
    AgentSettings.Dns dns = settings.dns();
    WatchedObjects known = objects.watched();
    if (!known.hasServices()) {
      return Optional.empty();
    }
    boolean isReached = network.map(ClusterNetwork::servesNames).orElse(false);
    Optional<ClusterDnsService> served =
        known.services(ClusterDnsService.NAME.namespace()).stream()
            .flatMap(service -> ClusterDnsService.read(service).stream())
            .filter(_ -> isReached)
            .findFirst();
    return Optional.of(
        new SpecSettings.ClusterNames(
            dns.domain().isEmpty()
                ? served.map(ClusterDnsService::domain).orElse("")
                : dns.domain(),
            dns.servers().isEmpty()
                ? served.map(ClusterDnsService::addresses).orElse(List.of())
                : dns.servers()));
  }

  private List<JsonObject> knownPods() {
    RunningNode others = sources.others;
    return others == null ? List.of() : others.pods.pods();
  }

  private void networkAvailable() {
    RunningNode others = sources.others;
    if (others != null) {
      others.node.refresh();
    }
  }

  private void devicesChanged() {
    RunningNode others = sources.others;
    if (others != null) {
      others.node.refresh();
    }
  }

  private PodSettings podSettings(MachineInfo machine) {
    AgentSettings.Pods about = settings.pods();
    AgentSettings.StaticPods still = settings.staticPods();
    return new PodSettings(
        new SpecSettings(
            settings.root(),
            this::clusterNames,
            settings.dns().resolvConf(),
            about.pidLimit(),
            about.enforcesCpuLimits() ? Optional.of(about.cpuPeriod()) : Optional.empty(),
            new SwapRules(
                SwapBehavior.of(about.swap()).orElse(SwapBehavior.LIMITED_SWAP),
                Cgroups.isVersion2(Path.of("/sys")),
                machine.memoryBytes(),
                machine.swapBytes()),
            !about.killsSingly().orElse(false),
            runtime.pullsImages(),
            !runtime.pullsImages() || about.seccompByDefault()),
        new PodSettings.StaticSources(
            still.directory(),
            still.directoryCheck(),
            still.url().isEmpty() ? Optional.empty() : Optional.of(URI.create(still.url())),
            still.urlHeaders(),
            still.urlCheck()),
        about.syncFrequency(),
        PARALLEL_STARTS,
        settings.runtime().parallelPulls(),
        about.longestRestartDelay(),
        about.allowedUnsafeSysctls());
  }

  private NodeServer startServer(Api api, MachineReader machine) {
    AgentSettings.Port port = settings.port();
    return NodeServer.start(
        new NodeServerConfig(
            new InetSocketAddress(port.address(), port.number()),
            serving,
            clients,
            new NodeServerConfig.Memory(
                port.authenticatedTtl(), port.authorizedTtl(), port.unauthorizedTtl()),
            port.debugging(),
            port.systemLogs(),
            Path.of("/var/log")),
        new NodeParts(
            time,
            api,
            node,
            pods,
            runtime,
            parts.metrics(),
            new AgentDocuments(settings, machine, volumes, pods, runtime, time.now())));
  }

  /** The one of the settings, or one that the cluster has signed; else, for now, one of its own. */
  private ServerTls firstCertificate(ServingFiles.Content files) {
    return files
        .credential()
        .or(trust::kept)
        .map(this::tls)
        .orElseGet(() -> {
          Credential own =
              ClusterCa.inMemory(time.now())
                  .server(ServerNames.of(List.of(settings.node().hostname())), time.now());
          return new ServerTls(own.key(), List.of(own.certificate()), clients.trusted());
        });
  }

  private ServingTrust servingTrust() {
    return settings.certificates().serving() && settings.port().certificateFile().isEmpty()
        ? ServingTrust.signedByCluster(
            time, new NodeFiles(settings.root()).credential(CertificatePurpose.SERVING))
        : ServingTrust.given(time);
  }

  private ServerTls tls(NodeCredential credential) {
    return new ServerTls(credential.key(), credential.chain(), clients.trusted());
  }

  /** Serves with another certificate from now on. */
  void serve(NodeCredential credential) {
    use(tls(credential));
    trust.signed();
    node.refresh();
  }

  /** Serves with what files say that somebody else keeps. */
  private synchronized void serve(ServingFiles.Content files) {
    files.authorities().ifPresent(clients::trust);
    use(
        files
            .credential()
            .map(this::tls)
            .orElseGet(() -> new ServerTls(serving.key(), serving.chain(), clients.trusted())));
  }

  private synchronized void use(ServerTls tls) {
    serving = tls;
    server.use(tls);
  }

  ShutdownManager shutdown() {
    return shutdown;
  }

  /** The node as the server shows it; empty until that is known. */
  JsonObject tree() {
    return node.node().orElse(JsonObject.EMPTY);
  }

  List<JsonObject> pods() {
    return pods.pods();
  }

  int port() {
    return server.port();
  }

  /** Known once the server shows the node's addresses, since a certificate is for these alone. */
  Optional<RequestedNames> servingNames() {
    return node.node().flatMap(ServingNames::of);
  }

  /** What pods' addresses are from: what the cluster gave the node, else what was configured. */
  List<String> podCidrs() {
    JsonObject spec = node.node().orElse(JsonObject.EMPTY).object("spec");
    List<String> given = spec.array("podCIDRs").texts();
    if (given.isEmpty() && !settings.pods().cidr().isEmpty()) {
      return List.of(settings.pods().cidr().split(","));
    }
    return given;
  }

  @Override
  public void close() {
    started.forEach(Runnable::run);
  }

  /** What the node's status says of the other parts. */
  private final class Sources implements NodeSources {
    private volatile @Nullable RunningNode others;
    private volatile @Nullable DeviceManager devices;

    @Override
    public String runtimeVersion() {
      return runtime.version();
    }

    @Override
    public List<Image> images() {
      return runtime.images();
    }

    @Override
    public JsonArray runtimeHandlers() {
      return RuntimeFeatures.handlers(runtime);
    }

    @Override
    public JsonObject features() {
      return RuntimeFeatures.of(runtime);
    }

    @Override
    public List<String> problems() {
      List<String> problems = new ArrayList<>();
      if (isShuttingDown()) {
        problems.add("node is shutting down");
      }
      trust.problem().ifPresent(problems::add);
      problems.addAll(runtime.problems());
      return problems;
    }

    @Override
    public boolean isShuttingDown() {
      return shutdown.isShuttingDown();
    }

    @Override
    public Set<String> pressures() {
      return others == null ? Set.of() : others.eviction.pressures();
    }

    @Override
    public Optional<Condition> network(List<Condition> shown) {
      return network.flatMap(each -> each.condition(shown));
    }

    @Override
    public Optional<List<String>> volumesInUse() {
      return others == null ? Optional.empty() : Optional.of(others.volumes.volumesInUse());
    }

    @Override
    public DeviceCapacity devices() {
      DeviceManager known = devices;
      return known == null ? DeviceCapacity.NONE : known.capacity();
    }

    @Override
    public OptionalInt port() {
      return others == null ? OptionalInt.empty() : OptionalInt.of(others.server.port());
    }
  }
}
