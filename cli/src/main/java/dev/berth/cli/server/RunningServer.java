package dev.berth.cli.server;

import dev.berth.agent.Agent;
import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.network.Nft;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerConfig;
import dev.berth.apiserver.encryption.ReloadedEncryption;
import dev.berth.apiserver.service.ServerIdentity;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.running.ProcessIdentity;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.ServerFile;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.component.Supervisor;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.model.user.User;
import dev.berth.pki.Certificates;
import dev.berth.policy.dns.ClusterDnsService;
import dev.berth.policy.persistentvolume.LocalDirectory;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.StandbyScheduler;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.serving.audit.AuditConfig;
import dev.berth.serving.audit.AuditWriter;
import dev.berth.store.Store;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An API server and everything that runs in its process, with a store in its directory or in
 * memory.
 */
final class RunningServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("apiserver");

  private final ServerPlace place;
  private final Path kubeconfig;
  private final WallTime time;
  private final Optional<AuditWriter> audit;
  private final Store store;
  private final ApiServer server;
  private final Supervisor supervisor;
  private final GracefulStop stop;
  private final boolean stopsPods;

  /** What this server leads by; empty where it is alone. */
  private Optional<Elections> elections = Optional.empty();

  /** What holds the objects, for the last sentence. */
  private final String where;

  private final Optional<AgentSettings> nodeSettings;

  /** The options that all servers of the cluster need alike. */
  private final Map<String, String> shared;

  /** Done when it is known whether this machine is a node; guarded by this. */
  private CompletableFuture<Optional<Agent>> node =
      CompletableFuture.completedFuture(Optional.empty());

  /** Guarded by this. */
  private boolean isStopping;

  private RunningServer(ServerSettings settings, ServerPlace place) {
    this.place = place;
    stopsPods = settings.stopsPods();
    where = ServerStores.describe(settings, place);
    kubeconfig =
        settings.kubeconfig().orElseGet(() -> place.directory().resolve(ServerPlace.KUBECONFIG));
    time = Running.time();
    settings.node().ifPresent(_ -> Agent.prepare());
    audit = settings.auditLog().map(file -> audit(file, settings.auditMode()));
    store = open(settings);
    boolean isNew = ServerStores.isNew(store);
    try {
      server = ApiServer.start(config(settings));
      server.writeAdminKubeconfig(kubeconfig);
      if (store instanceof EtcdStore etcd) {
        server.among(new MasterLeases(etcd), identity());
      }
      server.publishClusterInfo(settings.advertised(server.port()));
    } catch (RuntimeException e) {
      time.close();
      store.close();
      throw e;
    }
    nodeSettings = settings.node().map(root -> withNames(root.apply(place.node()), settings));
    shared = settings.shared();
    stop = new GracefulStop(server, time, settings.shutdownDelay());
    supervisor = server.supervisor();
    run(settings);
    if (isNew && settings.controllers().isPresent()) {
      makeDefaultClass();
    }
    names(settings)
        .ifPresent(names ->
            Thread.ofVirtual()
                .name("cluster-dns-service")
                .start(() ->
                    ClusterDnsPublisher.publish(
                        server.api(User.authenticated("berth:up", List.of(User.MASTERS)), "up"),
                        names)));
    // So that whoever is told that it serves finds it ready.
    supervisor.caughtUp().join();
    publish(nodeSettings.isEmpty());
    LOG.atInfo()
        .addKeyValue("port", server.port())
        .addKeyValue("store", ServerStores.describe(settings, place))
        .addKeyValue("revision", store.revision())
        .log("serving the Kubernetes API");
    if (store instanceof EtcdStore etcd) {
      etcd.decodeAhead();
    }
  }

  /** Has other commands find this server. */
  private void publish(boolean isComplete) {
    new ServerFile(ProcessIdentity.current(), place.isEphemeral(), isComplete, kubeconfig, shared)
        .write(place.directory());
  }

  private Store open(ServerSettings settings) {
    try {
      return ServerStores.open(settings, place, time);
    } catch (RuntimeException e) {
      time.close();
      throw e;
    }
  }

  /** Starts it; returns when requests are answered. */
  static RunningServer start(ServerSettings settings, ServerPlace place) {
    return new RunningServer(settings, place);
  }

  private ServerIdentity identity() {
    String random = Long.toHexString(time.random("apiserver-identity").nextLong());
    return new ServerIdentity(server.registry(), ClusterOptions.host(), random);
  }

  ApiServer api() {
    return server;
  }

  Store store() {
    return store;
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  private ApiServerConfig config(ServerSettings settings) {
    return new ApiServerConfig(
        settings.address(),
        place.isEphemeral() ? null : place.directory().resolve("pki"),
        store,
        time,
        RunningServer::failed,
        settings.access(),
        settings.gates(),
        settings.admission(),
        audit.map(writer -> new AuditConfig(writer, settings.auditPolicy())),
        settings.flowControl(),
        settings.httpLimits(),
        settings.nodes());
  }

  /** A request that failed because of a bug was answered; the operator should hear of it too. */
  private static void failed(String method, String path, Throwable cause) {
    LOG.atError()
        .addKeyValue("method", method)
        .addKeyValue("path", path)
        .setCause(cause)
        .log("a request failed because of a bug in Berth");
  }

  private static AuditWriter audit(String file, AuditWriter.Mode mode) {
    return file.equals("-")
        ? new AuditWriter(System.out, "standard output", mode, LOG::warn)
        : AuditWriter.toFile(Path.of(file), mode, LOG::warn);
  }

  private void run(ServerSettings settings) {
    if (settings.encryption() instanceof ReloadedEncryption reloaded) {
      ServerStores.readability(store)
          .ifPresent(unreadable ->
              supervisor.run(
                  EncryptionReload.NAME,
                  scope -> new EncryptionReload(reloaded, unreadable, scope.time())));
    }
    elections = settings.etcd().map(_ -> Elections.of(server, time.random("identity")));
    settings
        .scheduler()
        .ifPresent(configuration ->
            elections.ifPresentOrElse(
                elected ->
                    elected.runScheduler(configuration, own -> scheduler(configuration, own)),
                () ->
                    supervisor.run(
                        StandbyScheduler.NAME,
                        scope ->
                            StandbyScheduler.leading(scheduler(configuration, scope.time())))));
    settings
        .controllers()
        .map(controllers ->
            controllers
                .orRootCertificates(server::authorityPem)
                .orSigner(server.signer())
                .orTokenSigner(server.tokenSigner()))
        .ifPresent(controllers ->
            elections.ifPresentOrElse(
                elected ->
                    elected.runControllers((scope, leader) ->
                        ServerControllers.of(server, leader).run(scope, controllers)),
                () -> ServerControllers.of(server).run(supervisor, controllers)));
    settings
        .cloud()
        .ifPresent(cloud ->
            elections.ifPresentOrElse(
                elected ->
                    elected.runCloud(
                        (scope, leader) -> ServerControllers.of(server, leader).run(scope, cloud)),
                () -> ServerControllers.of(server).run(supervisor, cloud)));
    settings
        .hollow()
        .ifPresent(
            hollow -> supervisor.run("hollow-nodes", scope -> hollowNodes(hollow, scope.time())));
  }

  private static Optional<ClusterDnsService> names(ServerSettings settings) {
    return settings
        .nodeNames()
        .filter(_ -> settings.controllers().isPresent())
        .map(domain -> ClusterDnsService.in(domain, settings.admission().services().ranges()));
  }

  /** The first pods need not wait for the Service that says it. */
  private static AgentSettings withNames(AgentSettings node, ServerSettings settings) {
    AgentSettings.Dns dns = node.dns();
    return names(settings)
        .filter(_ -> dns.servers().isEmpty() && Nft.findQuietly().isPresent())
        .map(names ->
            node.with(
                new AgentSettings.Dns(
                    names.addresses(), names.domain(), dns.resolvConf(), dns.own())))
        .orElse(node);
  }

  /**
   * Makes this machine a node, if it is to be one, beside whoever asks: a server that is about to
   * be ready has better use for the processors. Without a node, everything else still works.
   */
  synchronized void startNode() {
    if (nodeSettings.isEmpty() || isStopping) {
      return;
    }
    CompletableFuture<Optional<Agent>> started = new CompletableFuture<>();
    node = started;
    Thread.ofPlatform()
        .daemon()
        .name("node-start")
        .start(() -> {
          Optional<Agent> agent = Optional.empty();
          try {
            agent = startNode(nodeSettings.get());
            publish(true);
          } finally {
            started.complete(agent);
          }
        });
  }

  private Optional<Agent> startNode(AgentSettings settings) {
    String name = settings.node().name();
    try {
      return Optional.of(
          Agent.start(
              settings,
              new Agent.Parts(
                  server.api(
                      User.authenticated("system:node:" + name, List.of("system:nodes")),
                      "kubelet"),
                  time,
                  server.metrics(),
                  supervisor,
                  Certificates.parse(server.authorityPem()),
                  Optional.empty(),
                  why -> LOG.atError().addKeyValue("reason", why).log("this machine is no node"),
                  this::drained)));
    } catch (IOException | RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("reason", e.getMessage())
          .log("this machine is no node; all else works (--no-node leaves it out)");
      LOG.debug("this machine is no node", e);
      return Optional.empty();
    }
  }

  /** The agent of this machine's node, once its start has come to an end. */
  private Optional<Agent> node() {
    CompletableFuture<Optional<Agent>> started;
    synchronized (this) {
      started = node;
    }
    return started.join();
  }

  /** The node goes; the server stays. */
  private void drained() {
    LOG.info("this machine's node was drained and stops; the server goes on");
    node().ifPresent(Agent::close);
  }

  private Scheduler.Parts scheduler(SchedulerConfiguration configuration, Time own) {
    return new Scheduler.Parts(
        server.api("system:kube-scheduler", "scheduler"),
        own,
        server.metrics(),
        configuration,
        "berth");
  }

  /** A new cluster has storage; whoever does not want it deletes the class for good. */
  private void makeDefaultClass() {
    ApiResult made =
        server
            .api(User.authenticated("berth:up", List.of(User.MASTERS)), "up")
            .create(Resources.STORAGE_CLASSES, LocalDirectory.defaultClass());
    if (made instanceof ApiResult.Failure why && !made.isAlreadyExists()) {
      LOG.atWarn()
          .addKeyValue("reason", why.message())
          .log("cannot create the default storage class");
    }
  }

  private HollowNodes hollowNodes(HollowSettings settings, Time own) {
    return HollowNodes.start(
        new HollowNodes.Parts(
            server.api(User.authenticated("berth:hollow", List.of(User.MASTERS)), "hollow"),
            own,
            server.metrics(),
            settings));
  }

  /** Stops it as somebody wants it who is there to read what became of it. */
  String stop() {
    synchronized (this) {
      isStopping = true;
    }
    long pods = endPods();
    close();
    if (place.isEphemeral()) {
      return "Stopped; the cluster is gone.";
    }
    return "Stopped; everything is in %s.%s".formatted(where, place.goingOn(pods));
  }

  /** Ends the pods of this machine if that is wanted; how many go on. */
  private long endPods() {
    Optional<Agent> agent = node();
    try {
      boolean isAsked = Files.deleteIfExists(place.stopPods()) || stopsPods;
      if (isAsked && agent.isPresent()) {
        agent.get().stopPods();
      }
    } catch (IOException | InterruptedException e) {
      LOG.atWarn().setCause(e).log("the pods of this machine are not ended");
    }
    // Those of an ephemeral cluster are ended with it, if not before.
    return place.isEphemeral() ? 0 : agent.map(Agent::runningPods).orElse(0L);
  }

  @Override
  public void close() {
    stop.leave(() -> elections.ifPresent(Elections::resign));
    Running.stop(supervisor);
    node().ifPresent(this::closeNode);
    server.close();
    time.close();
    store.close();
    audit.ifPresent(AuditWriter::close);
    ServerFile.remove(place.directory());
  }

  private void closeNode(Agent agent) {
    agent.close();
    if (place.isEphemeral()) {
      try {
        Agent.remove(place.node(), time);
      } catch (IOException e) {
        LOG.atWarn()
            .addKeyValue("reason", e.getMessage())
            .log("not everything of this machine's node could be removed");
      }
    }
  }
}
