package dev.berth.apiserver;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.client.Api;
import dev.berth.component.ComponentHealth;
import dev.berth.component.Supervisor;
import dev.berth.http.FailureListener;
import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Catalog;
import dev.berth.metrics.Metrics;
import dev.berth.model.user.User;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.registry.Registry;
import dev.berth.serving.audit.AuditLog;
import dev.berth.serving.audit.AuditWriter;
import dev.berth.serving.health.Health;
import dev.berth.serving.observe.Observers;
import dev.berth.serving.observe.RequestLog;
import dev.berth.serving.observe.RequestMetrics;
import dev.berth.serving.observe.RequestObserver;
import dev.berth.serving.observe.ServerMetrics;
import dev.berth.serving.rest.ApiHandler;
import dev.berth.serving.rest.InProcessApi;
import dev.berth.serving.rest.Instruments;
import dev.berth.store.Store;
import dev.berth.time.LoopFailure;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * An API server but for its network: all that answers requests, over a store and a time. {@link
 * ApiServer} serves one to everybody; by itself, it is a cluster for those in the same process.
 *
 * <p>It has no threads: what it does by itself, it does in loops of its time. So on virtual time it
 * is a part of a simulation like any other.
 */
public final class LocalApi implements AutoCloseable {
  private final Registry registry;
  private final ClusterAccess access;
  private final Instruments instruments;
  private final ApiHandler handler;
  private final Supervisor supervisor;
  private final FailureListener failures;

  /**
   * What to make one of.
   *
   * @param store where objects are kept; whoever opened it closes it, afterwards
   * @param access says who is let in from outside, given a registry without policies
   * @param gates the features that are on
   * @param admission the policies that are on
   * @param audit where requests are recorded, if anywhere
   * @param writers run the first writes, at once or one after the other
   * @param failures is told of bugs
   * @param loopFailures is told of loops of components that failed, before they are started afresh
   */
  public record Parts(
      Store store,
      Time time,
      Function<Registry, ClusterAccess> access,
      FeatureGates gates,
      AdmissionPlugins admission,
      Optional<AuditWriter> audit,
      Executor writers,
      FailureListener failures,
      LoopFailure.Listener loopFailures) {}

  private LocalApi(Parts parts) {
    Time time = parts.time();
    Catalog catalog = BuiltIns.catalog(parts.gates());
    // Who reads in order to decide whether somebody may write is not asked itself.
    access = parts.access().apply(new Registry(parts.store(), catalog, time));
    AdmissionPlugins policies = parts.admission();
    registry =
        new Registry(
            parts.store(),
            catalog,
            time,
            r -> policies.chain(r, access::mayRequestToken).with(access.escalationCheck()));
    failures = parts.failures();
    Metrics metrics = new Metrics();
    supervisor = new Supervisor(time, metrics, parts.loopFailures());
    instruments = instruments(parts, registry, metrics, supervisor.health());
    new InitialObjects(registry).create();
    access.begin(parts.writers());
    Housekeeping.run(supervisor, registry, policies);
    handler = new ApiHandler(registry, access.control(), instruments, access.endpoints());
  }

  /** Makes what every cluster has, and is ready to be asked. */
  public static LocalApi open(Parts parts) {
    return new LocalApi(parts);
  }

  /**
   * The same for this process alone, with the standard policies. Failures of loops are told like
   * those of requests.
   */
  public static LocalApi open(Store store, Time time, FailureListener failures) {
    return open(store, time, FeatureGates.DEFAULT, failures);
  }

  /** The same with features of one's choice. */
  public static LocalApi open(
      Store store, Time time, FeatureGates gates, FailureListener failures) {
    return open(
        new Parts(
            store,
            time,
            ClusterAccess::withoutOutsiders,
            gates,
            AdmissionPlugins.standard(),
            Optional.empty(),
            Runnable::run,
            failures,
            loop -> failures.onHandlerFailure("LOOP", loop.loop(), loop.cause())));
  }

  private static Instruments instruments(
      Parts parts, Registry registry, Metrics metrics, ComponentHealth components) {
    ServerMetrics.declare(metrics, registry, parts.store());
    List<RequestObserver> observers = new ArrayList<>();
    observers.add(new RequestMetrics(metrics, registry.catalog(), parts.time()));
    observers.add(new RequestLog(parts.time()));
    parts.audit().ifPresent(writer -> observers.add(new AuditLog(writer, parts.time())));
    return new Instruments(
        new Observers(parts.time(), observers),
        new Health(parts.store(), components, List.of()),
        metrics);
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
    return instruments.metrics();
  }

  /** Keeps running what runs in the server's process; the server shows how it is. */
  public Supervisor supervisor() {
    return supervisor;
  }

  ApiHandler handler() {
    return handler;
  }

  Health health() {
    return instruments.health();
  }

  @Override
  public void close() {
    handler.close();
    access.close();
    supervisor.close();
  }
}
