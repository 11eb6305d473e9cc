package dev.berth.apiserver;

import dev.berth.client.Api;
import dev.berth.component.Supervisor;
import dev.berth.http.ConnectionLog;
import dev.berth.http.HttpConfig;
import dev.berth.http.ServerTls;
import dev.berth.http.jetty.HttpServer;
import dev.berth.metrics.Metrics;
import dev.berth.model.user.User;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.KubeconfigFile;
import dev.berth.pki.ServerNames;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.Registry;
import dev.berth.serving.rest.DebugPages;
import dev.berth.time.Time;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A whole API server: {@link LocalApi} over a store, served over HTTPS. */
public final class ApiServer implements AutoCloseable {
  private final ApiServerConfig config;
  private final ClusterCa authority;
  private final LocalApi local;
  private final HttpServer http;

  private ApiServer(ApiServerConfig config, ClusterCa authority, LocalApi local, HttpServer http) {
    this.config = config;
    this.authority = authority;
    this.local = local;
    this.http = http;
  }

  /** Begins to serve; returns when requests are answered. */
  public static ApiServer start(ApiServerConfig config) {
    Time time = config.time();
    ClusterCa authority =
        config.pki() == null
            ? ClusterCa.inMemory(time.now())
            : ClusterCa.open(config.pki(), time.now());
    Credential server = authority.server(ServerNames.of(ServerNames.ofThisMachine()), time.now());
    LocalApi local;
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      local = LocalApi.open(withoutNetwork(config, authority, writers));
    }
    ServerTls tls =
        new ServerTls(
            server.key(), List.of(server.certificate()), List.of(authority.certificate()));
    HttpServer http;
    try {
      http =
          HttpServer.start(
              new HttpConfig(
                  config.address(),
                  tls,
                  config.limits(),
                  new ConnectionLog(config.failures(), time)),
              local.handler());
    } catch (RuntimeException e) {
      local.close();
      throw e;
    }
    new InitialObjects(local.registry()).kubernetesService(http.port());
    showConnections(local.metrics(), http);
    return new ApiServer(config, authority, local, http);
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
      ApiServerConfig config, ClusterCa authority, Executor writers) {
    return new LocalApiConfig(
        config.store(),
        config.time(),
        registry ->
            ClusterAccess.open(
                registry,
                authority.clientCertificates(),
                config.pki() == null
                    ? ServiceAccountKey.inMemory()
                    : ServiceAccountKey.open(config.pki()),
                config.access()),
        config.gates(),
        config.admission(),
        config.audit(),
        Optional.of(config.flowControl()),
        writers,
        config.failures(),
        _ -> {});
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

  public ClusterCa authority() {
    return authority;
  }

  /** Writes what a client needs to be the administrator. */
  public void writeAdminKubeconfig(Path file) {
    URI server = URI.create("https://127.0.0.1:" + port());
    new KubeconfigFile(
            server, authority.certificate(), authority.administrator(config.time().now()))
        .write(file);
  }

  /** The certificate by which clients know this server, in PEM. */
  public String authorityPem() {
    return authority.pem();
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

  @Override
  public void close() {
    local.health().shutDown();
    http.close();
    local.close();
  }
}
