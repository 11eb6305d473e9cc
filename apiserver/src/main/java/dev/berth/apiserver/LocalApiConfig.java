package dev.berth.apiserver;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.http.FailureListener;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.taint.DefaultTolerations;
import dev.berth.registry.Registry;
import dev.berth.serving.aggregation.RemoteApiConnector;
import dev.berth.serving.audit.AuditConfig;
import dev.berth.serving.connect.NodeLinks;
import dev.berth.serving.connect.ServiceResolver;
import dev.berth.serving.flowcontrol.FlowControlSettings;
import dev.berth.store.Store;
import dev.berth.time.LoopFailure;
import dev.berth.time.Time;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * How to run an API server without its network.
 *
 * @param store where objects are kept; whoever opened it closes it, afterwards
 * @param access says who is let in from outside, given a registry without policies
 * @param gates the features that are on
 * @param admission the policies that are on
 * @param audit where requests are recorded, if anywhere
 * @param flowControl how many requests from outside run at once; empty if there are none
 * @param writers run the first writes, at once or one after the other
 * @param failures is told of bugs
 * @param loopFailures is told of loops of components that failed, before they are started afresh
 * @param nodes how nodes are reached
 * @param remoteApis how servers of other groups are reached
 */
public record LocalApiConfig(
    Store store,
    Time time,
    Function<Registry, ClusterAccess> access,
    FeatureGates gates,
    AdmissionPlugins admission,
    Optional<AuditConfig> audit,
    Optional<FlowControlSettings> flowControl,
    Executor writers,
    FailureListener failures,
    LoopFailure.Listener loopFailures,
    NodeLinks nodes,
    Function<ServiceResolver, RemoteApiConnector> remoteApis) {

  /**
   * For this process alone, with the standard policies. Failures of loops are told like those of
   * requests.
   */
  public static LocalApiConfig inProcess(Store store, Time time, FailureListener failures) {
    return new LocalApiConfig(
        store,
        time,
        ClusterAccess::withoutOutsiders,
        FeatureGates.DEFAULT,
        AdmissionPlugins.standard(),
        Optional.empty(),
        Optional.empty(),
        Runnable::run,
        failures,
        loop -> failures.onHandlerFailure("LOOP", loop.loop(), loop.cause()),
        NodeLinks.NONE,
        _ -> RemoteApiConnector.NONE);
  }

  public LocalApiConfig withGates(FeatureGates on) {
    return new LocalApiConfig(
        store,
        time,
        access,
        on,
        admission,
        audit,
        flowControl,
        writers,
        failures,
        loopFailures,
        nodes,
        remoteApis);
  }

  /** With other tolerations of node problems for pods that have none. */
  public LocalApiConfig withTolerations(DefaultTolerations tolerations) {
    return new LocalApiConfig(
        store,
        time,
        access,
        gates,
        admission.with(tolerations),
        audit,
        flowControl,
        writers,
        failures,
        loopFailures,
        nodes,
        remoteApis);
  }

  public LocalApiConfig withLoopFailures(LoopFailure.Listener listener) {
    return new LocalApiConfig(
        store,
        time,
        access,
        gates,
        admission,
        audit,
        flowControl,
        writers,
        failures,
        listener,
        nodes,
        remoteApis);
  }
}
