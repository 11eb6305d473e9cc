package dev.berth.controllers;

import dev.berth.client.Api;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.controllers.daemonset.DaemonSets;
import dev.berth.controllers.deployment.Deployments;
import dev.berth.controllers.disruption.Disruption;
import dev.berth.controllers.endpoint.LegacyEndpointsController;
import dev.berth.controllers.endpointslice.EndpointSlices;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.controllers.job.Jobs;
import dev.berth.controllers.namespace.NamespaceController;
import dev.berth.controllers.namespace.NamespaceSettings;
import dev.berth.controllers.nodeipam.NodeIpam;
import dev.berth.controllers.nodelease.NodeLeases;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.podgc.PodCollection;
import dev.berth.controllers.replicaset.ReplicaSets;
import dev.berth.controllers.replication.ReplicationControllers;
import dev.berth.controllers.rootcacertpublisher.RootCaPublisher;
import dev.berth.controllers.serviceaccount.ServiceAccounts;
import dev.berth.controllers.statefulset.StatefulSets;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.controllers.ttlafterfinished.TtlAfterFinished;
import dev.berth.metrics.Metrics;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** All controllers of a cluster, each working as its own service account. */
public final class Controllers implements Controller {
  private final List<Controller> running = new ArrayList<>();

  /**
   * What they are made of.
   *
   * @param apiFor the server, as a service account of kube-system sees it
   * @param instance tells them from others that do the same, in their events
   * @param complaints gets sentences for the operator
   */
  public record Parts(
      Function<String, Api> apiFor,
      Time time,
      Metrics metrics,
      String instance,
      Consumer<String> complaints) {

    /** What one of them is made of. */
    ControllerParts of(ControllerName name, String account) {
      return new ControllerParts(
          apiFor.apply(account),
          time,
          metrics,
          instance,
          sentence -> complaints.accept(name.word() + ": " + sentence));
    }
  }

  private Controllers() {}

  /** Starts those that the settings name. Returns at once. */
  public static Controllers start(Parts parts, ControllerSettings settings) {
    Controllers controllers = new Controllers();
    for (ControllerName name : ControllerName.values()) {
      if (settings.run().contains(name)) {
        start(name, parts, settings).ifPresent(controllers.running::add);
      }
    }
    return controllers;
  }

  private static Optional<Controller> start(
      ControllerName name, Parts parts, ControllerSettings settings) {
    TolerationRules rules = settings.gates().tolerations();
    return switch (name) {
      case NODE_LIFECYCLE ->
          Optional.of(
              NodeLifecycle.start(parts.of(name, NodeLifecycle.ACCOUNT), settings.lifecycle()));
      case TAINT_EVICTION ->
          Optional.of(TaintEviction.start(parts.of(name, TaintEviction.ACCOUNT), rules));
      case POD_COLLECTION ->
          Optional.of(
              PodCollection.start(
                  parts.of(name, PodCollection.ACCOUNT), settings.collection(), rules));
      case NODE_IPAM ->
          settings.ipam().map(ipam -> NodeIpam.start(parts.of(name, NodeIpam.ACCOUNT), ipam));
      case NODE_LEASES -> Optional.of(NodeLeases.start(parts.of(name, NodeLeases.ACCOUNT)));
      case REPLICATION_CONTROLLERS ->
          Optional.of(ReplicationControllers.start(parts.of(name, ReplicationControllers.ACCOUNT)));
      case REPLICA_SETS -> Optional.of(ReplicaSets.start(parts.of(name, ReplicaSets.ACCOUNT)));
      case DEPLOYMENTS -> Optional.of(Deployments.start(parts.of(name, Deployments.ACCOUNT)));
      case DAEMON_SETS ->
          Optional.of(
              DaemonSets.start(
                  parts.of(name, DaemonSets.ACCOUNT),
                  new DaemonSetSettings(
                      settings.gates().isOn(FeatureGate.SCHEDULE_DAEMON_SET_PODS)),
                  rules));
      case DISRUPTION -> Optional.of(Disruption.start(parts.of(name, Disruption.ACCOUNT)));
      case ENDPOINTS ->
          Optional.of(
              LegacyEndpointsController.start(parts.of(name, LegacyEndpointsController.ACCOUNT)));
      case ENDPOINT_SLICES ->
          Optional.of(EndpointSlices.start(parts.of(name, EndpointSlices.ACCOUNT)));
      case STATEFUL_SETS -> Optional.of(StatefulSets.start(parts.of(name, StatefulSets.ACCOUNT)));
      case JOBS -> Optional.of(Jobs.start(parts.of(name, Jobs.ACCOUNT)));
      case TTL_AFTER_FINISHED ->
          Optional.of(TtlAfterFinished.start(parts.of(name, TtlAfterFinished.ACCOUNT)));
      case GARBAGE_COLLECTOR ->
          Optional.of(
              GarbageCollector.start(
                  parts.of(name, GarbageCollector.ACCOUNT), GarbageCollectorSettings.DEFAULT));
      case NAMESPACES ->
          Optional.of(
              NamespaceController.start(
                  parts.of(name, NamespaceController.ACCOUNT), NamespaceSettings.DEFAULT));
      case SERVICE_ACCOUNTS ->
          Optional.of(ServiceAccounts.start(parts.of(name, ServiceAccounts.ACCOUNT)));
      case ROOT_CERTIFICATES ->
          settings
              .rootCertificates()
              .map(pem -> RootCaPublisher.start(parts.of(name, RootCaPublisher.ACCOUNT), pem));
    };
  }

  /** How many run. */
  public int size() {
    return running.size();
  }

  @Override
  public void close() {
    running.forEach(Controller::close);
  }
}
