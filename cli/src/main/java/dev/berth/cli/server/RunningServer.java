package dev.berth.cli.server;

import dev.berth.agent.Agent;
import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.network.Nft;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerConfig;
import dev.berth.apiserver.encryption.ReloadedEncryption;
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
import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
  private final boolean stopsPods;

  /** Empty if this machine is no node. */
  private Optional<Agent> node = Optional.empty();

  private RunningServer(ServerSettings settings, ServerPlace place) {
    this.place = place;
    stopsPods = settings.stopsPods();
    kubeconfig =
        settings.kubeconfig().orElseGet(() -> place.directory().resolve(ServerPlace.KUBECONFIG));
    time = Running.time();
    settings.node().ifPresent(_ -> Agent.prepare());
    audit = settings.auditLog().map(file -> audit(file, settings.auditMode()));
    boolean isNew = place.isEphemeral() || !Files.exists(place.directory().resolve("berth.db"));
    HistoryLimits history = HistoryLimits.DEFAULT.age(settings.watchHistory());
    store =
        place.isEphemeral()
            ? new MemoryStore(history)
            : EmbeddedStore.open(
                place.directory(),
                EmbeddedStore.Options.DEFAULT.history(history),
                settings.encryption());
    try {
      server = ApiServer.start(config(settings));
      server.writeAdminKubeconfig(kubeconfig);
      server.publishClusterInfo(settings.advertised(server.port()));
    } catch (RuntimeException e) {
      time.close();
      store.close();
      throw e;
    }
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
    new ServerFile(ProcessIdentity.current(), place.isEphemeral(), kubeconfig)
        .write(place.directory());
    LOG.atInfo()
        .addKeyValue("port", server.port())
        .addKeyValue("store", place.isEphemeral() ? "memory" : place.directory())
        .addKeyValue("revision", store.revision())
        .log("serving the Kubernetes API");
  }

  /** Starts it; returns when requests are answered. */
  static RunningServer start(ServerSettings settings, ServerPlace place) {
    return new RunningServer(settings, place);
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
    if (settings.encryption() instanceof ReloadedEncryption reloaded
        && store instanceof EmbeddedStore embedded) {
      supervisor.run(
          EncryptionReload.NAME, scope -> new EncryptionReload(reloaded, embedded, scope.time()));
    }
    settings
        .scheduler()
        .ifPresent(configuration ->
            supervisor.run(
                StandbyScheduler.NAME,
                scope -> StandbyScheduler.leading(scheduler(configuration, scope.time()))));
    settings
        .controllers()
        .ifPresent(controllers ->
            ServerControllers.run(
                server,
                controllers
                    .orRootCertificates(server::authorityPem)
                    .orSigner(server.signer())
                    .orTokenSigner(server.tokenSigner())));
    settings.cloud().ifPresent(cloud -> ServerControllers.run(server, cloud));
    settings
        .hollow()
        .ifPresent(
            hollow -> supervisor.run("hollow-nodes", scope -> hollowNodes(hollow, scope.time())));
    settings
        .node()
        .map(root -> withNames(root.apply(place.node()), settings))
        .ifPresent(this::startNode);
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

  /** Without a node, everything else still works. */
  private void startNode(AgentSettings settings) {
    String name = settings.node().name();
    try {
      node =
          Optional.of(
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
                      why ->
                          LOG.atError().addKeyValue("reason", why).log("this machine is no node"),
                      this::drained)));
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("reason", e.getMessage())
          .log("this machine is no node; all else works (--no-node leaves it out)");
    }
  }

  /** The node goes; the server stays. */
  private void drained() {
    LOG.info("this machine's node was drained and stops; the server goes on");
    node.ifPresent(Agent::close);
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
    long pods = endPods();
    close();
    if (place.isEphemeral()) {
      return "Stopped; the cluster is gone.";
    }
    return "Stopped; everything is in %s.%s".formatted(place.directory(), place.goingOn(pods));
  }

  /** Ends the pods of this machine if that is wanted; how many still run. */
  private long endPods() {
    if (node.isEmpty() || place.isEphemeral()) {
      return 0;
    }
    try {
      if (stopsPods || Files.deleteIfExists(place.stopPods())) {
        node.get().stopPods();
      }
    } catch (IOException | InterruptedException e) {
      LOG.atWarn().setCause(e).log("the pods of this machine go on");
    }
    return node.get().runningPods();
  }

  @Override
  public void close() {
    Running.stop(supervisor);
    node.ifPresent(this::closeNode);
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
