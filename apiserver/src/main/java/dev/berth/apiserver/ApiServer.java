package dev.berth.apiserver;

import dev.berth.apiserver.admission.AdmissionPlugins;
import dev.berth.apiserver.audit.AuditLog;
import dev.berth.apiserver.health.Health;
import dev.berth.apiserver.http.HttpConfig;
import dev.berth.apiserver.http.HttpServer;
import dev.berth.apiserver.http.ServerTls;
import dev.berth.apiserver.observe.Observers;
import dev.berth.apiserver.observe.RequestMetrics;
import dev.berth.apiserver.observe.RequestObserver;
import dev.berth.apiserver.observe.ServerMetrics;
import dev.berth.apiserver.pki.ClusterCa;
import dev.berth.apiserver.pki.Credential;
import dev.berth.apiserver.pki.Kubeconfig;
import dev.berth.apiserver.pki.ServerNames;
import dev.berth.apiserver.pki.ServiceAccountKey;
import dev.berth.apiserver.registry.Registry;
import dev.berth.apiserver.resource.Catalog;
import dev.berth.apiserver.resource.builtin.BuiltIns;
import dev.berth.apiserver.rest.ApiHandler;
import dev.berth.apiserver.rest.Instruments;
import dev.berth.metrics.Metrics;
import dev.berth.time.Time;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A whole API server: the registry over a store, served over HTTPS. */
public final class ApiServer implements AutoCloseable {
  private final ApiServerConfig config;
  private final ClusterCa authority;
  private final Registry registry;
  private final ClusterAccess access;
  private final Instruments instruments;
  private final ApiHandler handler;
  private final Housekeeping housekeeping;
  private final HttpServer http;

  private ApiServer(
      ApiServerConfig config,
      ClusterCa authority,
      Registry registry,
      ClusterAccess access,
      Instruments instruments,
      ApiHandler handler,
      Housekeeping housekeeping,
      HttpServer http) {
    this.config = config;
    this.authority = authority;
    this.registry = registry;
    this.access = access;
    this.instruments = instruments;
    this.handler = handler;
    this.housekeeping = housekeeping;
    this.http = http;
  }

  /** Begins to serve; returns when requests are answered. */
  public static ApiServer start(ApiServerConfig config) {
    Time time = config.time();
    ClusterCa authority = ClusterCa.open(config.pki(), time.now());
    Credential server = authority.server(ServerNames.of(ServerNames.ofThisMachine()), time.now());
    Catalog catalog = BuiltIns.catalog();
    // Who reads in order to decide whether somebody may write is not asked itself.
    ClusterAccess access =
        ClusterAccess.open(
            new Registry(config.store(), catalog, time),
            authority.clientCertificates(),
            ServiceAccountKey.open(config.pki()),
            config.access());
    AdmissionPlugins policies = config.admission();
    Registry registry =
        new Registry(
            config.store(), catalog, time, r -> policies.chain(r).with(access.escalationCheck()));
    InitialObjects initial = new InitialObjects(registry);
    initial.create();
    access.begin();
    Housekeeping housekeeping = Housekeeping.start(registry, policies);
    Instruments instruments = instruments(config, registry);
    ApiHandler handler =
        new ApiHandler(registry, access.control(), instruments, access.endpoints());
    ServerTls tls =
        new ServerTls(
            server.key(), List.of(server.certificate()), List.of(authority.certificate()));
    HttpServer http;
    try {
      http =
          HttpServer.start(
              new HttpConfig(config.address(), tls, config.limits(), config.failures()), handler);
    } catch (RuntimeException e) {
      handler.close();
      access.close();
      housekeeping.close();
      throw e;
    }
    initial.kubernetesService(http.port());
    return new ApiServer(
        config, authority, registry, access, instruments, handler, housekeeping, http);
  }

  private static Instruments instruments(ApiServerConfig config, Registry registry) {
    Metrics metrics = new Metrics();
    ServerMetrics.declare(metrics, registry, config.store());
    List<RequestObserver> observers = new ArrayList<>();
    observers.add(new RequestMetrics(metrics, registry.catalog(), config.time()));
    config.audit().ifPresent(writer -> observers.add(new AuditLog(writer, config.time())));
    return new Instruments(
        new Observers(config.time(), observers), new Health(config.store(), List.of()), metrics);
  }

  public int port() {
    return http.port();
  }

  /** The objects, for whoever runs in the same process. */
  public Registry registry() {
    return registry;
  }

  public ClusterCa authority() {
    return authority;
  }

  /** Writes what a client needs to be the administrator. */
  public void writeAdminKubeconfig(Path file) {
    URI server = URI.create("https://127.0.0.1:" + port());
    new Kubeconfig(server, authority.certificate(), authority.administrator(config.time().now()))
        .write(file);
  }

  /** What is counted, for whoever counts in the same process. */
  public Metrics metrics() {
    return instruments.metrics();
  }

  @Override
  public void close() {
    instruments.health().shutDown();
    http.close();
    handler.close();
    access.close();
    housekeeping.close();
  }
}
