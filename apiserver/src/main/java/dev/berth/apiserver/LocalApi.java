package dev.berth.apiserver;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.apiserver.aggregation.ApiServiceController;
import dev.berth.apiserver.service.DefaultServiceCidr;
import dev.berth.apiserver.service.ServiceAddressRepair;
import dev.berth.client.Api;
import dev.berth.component.Supervisor;
import dev.berth.customresources.CustomResources;
import dev.berth.customresources.conversion.Conversions;
import dev.berth.http.FailureListener;
import dev.berth.kinds.BuiltIns;
import dev.berth.metrics.Metrics;
import dev.berth.model.user.User;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.webhook.WebhookClient;
import dev.berth.serving.aggregation.Aggregation;
import dev.berth.serving.aggregation.RemoteApiConnector;
import dev.berth.serving.audit.AuditConfig;
import dev.berth.serving.audit.AuditLog;
import dev.berth.serving.connect.ServiceResolver;
import dev.berth.serving.health.Health;
import dev.berth.serving.observe.Observers;
import dev.berth.serving.observe.RequestLog;
import dev.berth.serving.observe.RequestMetrics;
import dev.berth.serving.observe.RequestObserver;
import dev.berth.serving.observe.ServerMetrics;
import dev.berth.serving.rest.ApiHandler;
import dev.berth.serving.rest.InProcessApi;
import dev.berth.serving.rest.ServerPaths;
import dev.berth.store.Store;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An API server but for its network: all that answers requests, over a store and a time. {@link
 * ApiServer} serves one to everybody; by itself, it is a cluster for those in the same process.
 *
 * <p>It has no threads: what it does by itself, it does in loops of its time. So on virtual time it
 * is a part of a simulation like any other.
 */
public final class LocalApi implements AutoCloseable {
  private final CustomResources customResources;
  private final Registry registry;
  private final ClusterAccess access;
  private final Metrics metrics;
  private final Health health;
  private final FlowControls flow;
  private final RemoteApiConnector remoteApis;
  private final Aggregation aggregation;
  private final ApiHandler handler;
  private @Nullable HttpWebhookClient webhooks;
  private final Supervisor supervisor;
  private final FailureListener failures;

  private LocalApi(LocalApiConfig config) {
    Time time = config.time();
    CustomResources catalog =
        new CustomResources(
            BuiltIns.catalog(config.gates()), Conversions.through(this::webhookClient, time));
    customResources = catalog;
    // Who reads in order to decide whether somebody may write is not asked itself.
    access =
        config
            .access()
            .apply(new Registry(config.store(), catalog, time, r -> AdmissionChain.EMPTY));
    AdmissionPlugins policies = config.admission();
    metrics = new Metrics();
    registry = new Registry(config.store(), catalog, time, r -> admission(policies, r));
    catalog.follow(registry);
    failures = config.failures();
    access.count(metrics);
    supervisor = new Supervisor(time, metrics, config.loopFailures());
    health = new Health(config.store(), supervisor.health(), List.of());
    ServerMetrics.declare(metrics, registry, config.store());
    new InitialObjects(registry).create();
    DefaultServiceCidr.create(registry, policies.services());
    ServiceAddressRepair.once(registry);
    access.begin(config.writers());
    Housekeeping.run(
        supervisor, config.store(), registry, config.audit().map(AuditConfig::writer), metrics);
    flow =
        FlowControls.begin(config.flowControl(), registry, metrics, supervisor, config.writers());
    remoteApis = config.remoteApis().apply(new ServiceResolver(registry));
    aggregation = new Aggregation(registry, remoteApis);
    handler =
        new ApiHandler(
            registry,
            access.control(),
            observers(config),
            new ServerPaths(health, metrics),
            access.endpoints(),
            flow.flow(),
            config.nodes(),
            aggregation);
    handler.serve(flow.pages());
    keepServiceAddresses(policies.services());
  }

  private void keepServiceAddresses(ServiceNetwork network) {
    Api own = api(User.SERVER, "kube-apiserver");
    supervisor.run(
        "kubernetes-service-cidr-controller",
        scope -> DefaultServiceCidr.start(registry, network, own, scope.time()));
    supervisor.run(
        "ipallocator-repair-controller",
        scope -> ServiceAddressRepair.start(registry, own, scope.time()));
  }

  private AdmissionChain admission(AdmissionPlugins policies, Registry objects) {
    webhooks = new HttpWebhookClient(objects, policies.configuration().kubeconfigs());
    return policies
        .chain(
            new AdmissionPlugins.Dependencies(
                objects,
                access::mayRequestToken,
                webhooks,
                metrics,
                user -> new ExpressionAccess(access.control(), user)))
        .with(access.escalationCheck());
  }

  /** Objects are converted long before the server is put together: where it reads the first. */
  private WebhookClient webhookClient() {
    return webhooks == null ? WebhookClient.NONE : webhooks;
  }

  /** Makes what every cluster has, and is ready to be asked. */
  public static LocalApi open(LocalApiConfig config) {
    return new LocalApi(config);
  }

  /** The same for this process alone, with the standard policies. */
  public static LocalApi open(Store store, Time time, FailureListener failures) {
    return open(LocalApiConfig.inProcess(store, time, failures));
  }

  private Observers observers(LocalApiConfig config) {
    Time time = config.time();
    List<RequestObserver> observers = new ArrayList<>();
    observers.add(new RequestMetrics(metrics, registry::catalog, time));
    observers.add(new RequestLog(time));
    config.audit().ifPresent(audit -> observers.add(new AuditLog(audit, time)));
    return new Observers(time, observers);
  }

  /**
   * The API as a user sees it who proved to be that one.
   *
   * @param component how the component calls itself: its name goes on the fields that it writes
   */
  public Api api(User user, String component) {
    return new InProcessApi(handler, user, component, failures);
  }

  /** The same for a user in no particular group, such as {@code system:kube-scheduler}. */
  public Api api(String user, String component) {
    return api(User.authenticated(user, List.of()), component);
  }

  /** The objects, for what belongs to the server itself. */
  public Registry registry() {
    return registry;
  }

  /** What is counted, for whoever counts in the same process. */
  public Metrics metrics() {
    return metrics;
  }

  /** Keeps running what runs in the server's process; the server shows how it is. */
  public Supervisor supervisor() {
    return supervisor;
  }

  /** Begins to keep APIServices, and to look whether somebody answers for them. */
  void keepApiServices() {
    supervisor.run(
        "apiservice-controller",
        scope -> {
          ApiServiceController controller =
              new ApiServiceController(registry, remoteApis, aggregation.resources(), scope.time());
          controller.start();
          return controller;
        });
  }

  ApiHandler handler() {
    return handler;
  }

  ClusterAccess access() {
    return access;
  }

  Health health() {
    return health;
  }

  @Override
  public void close() {
    handler.close();
    flow.close();
    if (webhooks != null) {
      webhooks.close();
    }
    access.close();
    supervisor.close();
    customResources.close();
  }
}
