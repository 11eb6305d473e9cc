package dev.berth.apiserver;

import dev.berth.access.token.TokenSigner;
import dev.berth.apiserver.service.KubernetesService;
import dev.berth.apiserver.service.LivingServers;
import dev.berth.apiserver.service.ServerIdentity;
import dev.berth.client.Api;
import dev.berth.component.Supervisor;
import dev.berth.http.ConnectionLog;
import dev.berth.http.HttpConfig;
import dev.berth.http.jetty.HttpServer;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.pki.CertificateSigner;
import dev.berth.pki.KubeconfigFile;
import dev.berth.registry.Registry;
import dev.berth.serving.connect.KubeletConnector;
import dev.berth.serving.connect.NodeConnector;
import dev.berth.serving.connect.NodeLinks;
import dev.berth.serving.rest.DebugPages;
import dev.berth.time.Time;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A whole API server: {@link LocalApi} over a store, served over HTTPS. */
public final class ApiServer implements AutoCloseable {
  private final ServerCertificates certificates;
  private final LocalApi local;
  private final HttpServer http;
  private final KubernetesService kubernetes;
  private final ClusterInfoPublisher clusterInfo;

  /** Where the administrator's kubeconfig is, and where others are told that the server is. */
  private volatile Optional<Path> adminKubeconfig = Optional.empty();

  private volatile Optional<URI> advertised = Optional.empty();

  private volatile Optional<ServerIdentity> identity = Optional.empty();

  private ApiServer(
      ServerCertificates certificates,
      LocalApi local,
      HttpServer http,
      KubernetesService kubernetes) {
    this.certificates = certificates;
    this.local = local;
    this.http = http;
    this.kubernetes = kubernetes;
    clusterInfo = new ClusterInfoPublisher(local.registry(), certificates);
    kubernetes.whenAlive(
        living -> advertised.ifPresent(server -> clusterInfo.publish(server, living)));
  }

  /** Begins to serve; returns when requests are answered. */
  public static ApiServer start(ApiServerConfig config) {
    Time time = config.time();
    ServerCertificates certificates =
        ServerCertificates.open(
            config.pki(), config.admission().services().apiAddresses(), time.now());
    LocalApi local;
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      local = LocalApi.open(withoutNetwork(config, certificates, writers));
    }
    HttpServer http;
    try {
      http =
          HttpServer.start(
              new HttpConfig(
                  config.address(),
                  certificates.tls(),
                  config.limits(),
                  new ConnectionLog(config.failures(), time)),
              local.handler());
    } catch (RuntimeException e) {
      local.close();
      throw e;
    }
    InitialObjects initial = new InitialObjects(local.registry());
    initial.extensionAuthentication(FrontProxy.published(certificates.trustedPem()));
    initial.tokenTracking();
    local.keepApiServices();
    showConnections(local.metrics(), http);
    KubernetesService kubernetes =
        new KubernetesService(local.registry(), config.admission().services(), http.port());
    kubernetes.sync();
    ApiServer server = new ApiServer(certificates, local, http, kubernetes);
    local.supervisor().run("kubernetes-service", scope -> kubernetes.keep(scope.time()));
    local
        .supervisor()
        .run(
            "certificates",
            scope -> {
              CertificateUpkeep upkeep =
                  new CertificateUpkeep(
                      certificates, local.metrics(), scope.time(), server::certificatesChanged);
              upkeep.start();
              return upkeep;
            });
    return server;
  }

  private static void showConnections(Metrics metrics, HttpServer http) {
    metrics.lookedUp(
        "berth_http_connections",
        "Open connections; a client is authenticated once one of its requests was.",
        List.of("authenticated"),
        each -> {
          each.accept(List.of("true"), (double) http.connections().authenticated());
          each.accept(List.of("false"), (double) http.connections().unauthenticated());
        });
    metrics.totals(
        "berth_http_connections_refused_total",
        "Connections that were closed because there were too many.",
        List.of(),
        each -> each.accept(List.of(), (double) http.connections().refused()));
  }

  private static LocalApiConfig withoutNetwork(
      ApiServerConfig config, ServerCertificates certificates, Executor writers) {
    return new LocalApiConfig(
        config.store(),
        config.time(),
        registry ->
            ClusterAccess.open(
                registry,
                certificates.clients(),
                certificates.serviceAccountKey(),
                config.access()),
        config.gates(),
        config.admission(),
        config.audit(),
        Optional.of(config.flowControl()),
        writers,
        config.failures(),
        _ -> {},
        new NodeLinks(connector(config, certificates), config.nodes().servesMetrics()),
        services -> new FrontProxy(services, certificates::authority, config.time()));
  }

  private static NodeConnector connector(ApiServerConfig config, ServerCertificates certificates) {
    KubeletTls tls = new KubeletTls(certificates::authority, config.time());
    return new KubeletConnector(
        config.nodes().addressTypes(),
        tls::verifying,
        tls::insecure,
        config.nodes().verifiesKubelets(),
        config.nodes().allowsLoopback());
  }

  private void certificatesChanged() {
    http.use(certificates.tls());
    adminKubeconfig.ifPresent(this::writeAdminKubeconfig);
    new InitialObjects(local.registry())
        .extensionAuthentication(FrontProxy.published(certificates.trustedPem()));
    advertised.ifPresent(this::publishClusterInfo);
  }

  public int port() {
    return http.port();
  }

  /**
   * The API for a component in this process, which needs neither HTTP nor a proof of who it is.
   *
   * @param component how the component calls itself
   */
  public Api api(User user, String component) {
    return local.api(user, component);
  }

  /** The same for a user in no particular group, such as {@code system:kube-scheduler}. */
  public Api api(String user, String component) {
    return local.api(user, component);
  }

  /** The objects, for what belongs to the server itself. */
  public Registry registry() {
    return local.registry();
  }

  /** Signs certificates with the cluster's own authority. */
  public CertificateSigner signer() {
    return certificates.signer();
  }

  /** Makes tokens of claims with the key of service accounts. */
  public Function<JsonObject, String> tokenSigner() {
    return new TokenSigner(certificates.serviceAccountKey());
  }

  /** Writes what a client needs to be the administrator, and again when that changes. */
  public void writeAdminKubeconfig(Path file) {
    adminKubeconfig = Optional.of(file);
    URI server = URI.create("https://127.0.0.1:" + port());
    new KubeconfigFile(server, certificates.trusted(), certificates.administrator()).write(file);
  }

  /**
   * Tells machines that are to become nodes where the server is and whom to trust, in {@code
   * cluster-info}, unless that names another one that is alive; and again when that changes.
   */
  public void publishClusterInfo(URI server) {
    advertised = Optional.of(server);
    local.access().advertise(server);
    address(server)
        .ifPresentOrElse(
            address -> kubernetes.publish(address, server.getPort()),
            () -> clusterInfo.publish(server));
  }

  /**
   * Has the service {@code kubernetes} lead to all of several servers that are alive, and this one
   * say that it is.
   */
  public void among(LivingServers servers, ServerIdentity own) {
    kubernetes.among(servers);
    identity = Optional.of(own);
    supervisor().run("apiserver-identity", scope -> own.keep(scope.time()));
  }

  /** Where pods reach the server; empty if it is advertised by name, or only on this machine. */
  private static Optional<InetAddress> address(URI server) {
    try {
      InetAddress address = InetAddress.ofLiteral(server.getHost().replaceAll("[\\[\\]]", ""));
      return address.isLoopbackAddress() ? Optional.empty() : Optional.of(address);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** The certificates by which clients know this server, in PEM; others while it is rotated. */
  public String authorityPem() {
    return certificates.trustedPem();
  }

  /** Serves documents about this process, from now on. */
  public void serve(DebugPages pages) {
    local.handler().serve(pages);
  }

  /** What is counted, for whoever counts in the same process. */
  public Metrics metrics() {
    return local.metrics();
  }

  /** Keeps running what runs in the server's process; the server shows how it is. */
  public Supervisor supervisor() {
    return local.supervisor();
  }

  /**
   * Begins to stop: it is not ready from now on, and the service {@code kubernetes} leads to
   * others. Requests are answered as ever.
   *
   * @return whether there are others
   */
  public boolean leave() {
    local.health().shutDown();
    // Together, since each may have to wait for a store that does not answer.
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      identity.ifPresent(own -> threads.execute(own::withdraw));
      return kubernetes.withdraw();
    }
  }

  /**
   * Sends its clients elsewhere ({@link HttpServer#leave}), once they had time to see that it is
   * not ready.
   */
  public void sendAway(Duration patience) {
    http.leave(patience);
  }

  @Override
  public void close() {
    leave();
    http.close();
    local.close();
  }
}
