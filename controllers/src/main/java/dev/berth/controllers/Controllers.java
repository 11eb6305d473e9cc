package dev.berth.controllers;

import dev.berth.client.Api;
import dev.berth.client.Informers;
import dev.berth.client.SharedInformers;
import dev.berth.controllers.attachdetach.AttachDetach;
import dev.berth.controllers.cronjob.CronJobController;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.controllers.daemonset.DaemonSets;
import dev.berth.controllers.deployment.DeploymentController;
import dev.berth.controllers.disruption.Disruption;
import dev.berth.controllers.endpoint.LegacyEndpointsController;
import dev.berth.controllers.endpointslice.EndpointSlices;
import dev.berth.controllers.ephemeral.EphemeralVolumes;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.controllers.job.JobController;
import dev.berth.controllers.namespace.NamespaceController;
import dev.berth.controllers.namespace.NamespaceSettings;
import dev.berth.controllers.nodeipam.NodeIpam;
import dev.berth.controllers.nodelease.NodeLeases;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.persistentvolume.VolumeBinder;
import dev.berth.controllers.podgc.PodGarbageCollector;
import dev.berth.controllers.pvcprotection.ClaimProtection;
import dev.berth.controllers.pvprotection.VolumeProtection;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.replicaset.ReplicaSetController;
import dev.berth.controllers.replication.ReplicationManager;
import dev.berth.controllers.rootcacertpublisher.RootCaPublisher;
import dev.berth.controllers.serviceaccount.ServiceAccounts;
import dev.berth.controllers.statefulset.StatefulSetController;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.controllers.ttlafterfinished.TtlAfterFinishedController;
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
  private final SharedInformers informers;

  /**
   * What they are made of.
   *
   * @param apiFor the server, as a service account of kube-system sees it
   * @param reader the server, as somebody sees it who may read everything: what many of them need
   *     to know is read once, for all
   * @param instance tells them from others that do the same, in their events
   * @param warnings gets sentences for the operator
   */
  public record Parts(
      Function<String, Api> apiFor,
      Api reader,
      Time time,
      Metrics metrics,
      String instance,
      Consumer<String> warnings) {

    /** What one of them is made of. */
    ControllerParts of(ControllerName name, String account, Informers informers) {
      return new ControllerParts(
          apiFor.apply(account),
          informers,
          time,
          metrics,
          instance,
          sentence -> warnings.accept(name.word() + ": " + sentence));
    }
  }

  private Controllers(SharedInformers informers) {
    this.informers = informers;
  }

  /** Starts those that the settings name. Returns at once. */
  public static Controllers start(Parts parts, ControllerSettings settings) {
    Controllers controllers = new Controllers(new SharedInformers(parts.reader(), parts.time()));
    for (ControllerName name : ControllerName.values()) {
      if (settings.run().contains(name)) {
        controllers.start(name, parts, settings).ifPresent(controllers.running::add);
      }
    }
    return controllers;
  }

  private Optional<Controller> start(
      ControllerName name, Parts parts, ControllerSettings settings) {
    TolerationRules rules = settings.gates().tolerations();
    return switch (name) {
      case NODE_LIFECYCLE ->
          Optional.of(
              NodeLifecycle.start(
                  parts.of(name, NodeLifecycle.ACCOUNT, informers), settings.lifecycle()));
      case TAINT_EVICTION ->
          Optional.of(TaintEviction.start(parts.of(name, TaintEviction.ACCOUNT, informers), rules));
      case POD_COLLECTION ->
          Optional.of(
              PodGarbageCollector.start(
                  parts.of(name, PodGarbageCollector.ACCOUNT, informers),
                  settings.collection(),
                  rules));
      case NODE_IPAM ->
          settings
              .ipam()
              .map(ipam -> NodeIpam.start(parts.of(name, NodeIpam.ACCOUNT, informers), ipam));
      case NODE_LEASES ->
          Optional.of(NodeLeases.start(parts.of(name, NodeLeases.ACCOUNT, informers)));
      case REPLICATION_CONTROLLERS ->
          Optional.of(
              ReplicationManager.start(parts.of(name, ReplicationManager.ACCOUNT, informers)));
      case REPLICA_SETS ->
          Optional.of(
              ReplicaSetController.start(parts.of(name, ReplicaSetController.ACCOUNT, informers)));
      case DEPLOYMENTS ->
          Optional.of(
              DeploymentController.start(parts.of(name, DeploymentController.ACCOUNT, informers)));
      case DAEMON_SETS ->
          Optional.of(
              DaemonSets.start(
                  parts.of(name, DaemonSets.ACCOUNT, informers),
                  new DaemonSetSettings(
                      settings.gates().isOn(FeatureGate.SCHEDULE_DAEMON_SET_PODS)),
                  rules));
      case DISRUPTION ->
          Optional.of(Disruption.start(parts.of(name, Disruption.ACCOUNT, informers)));
      case ENDPOINTS ->
          Optional.of(
              LegacyEndpointsController.start(
                  parts.of(name, LegacyEndpointsController.ACCOUNT, informers)));
      case ENDPOINT_SLICES ->
          Optional.of(EndpointSlices.start(parts.of(name, EndpointSlices.ACCOUNT, informers)));
      case STATEFUL_SETS ->
          Optional.of(
              StatefulSetController.start(
                  parts.of(name, StatefulSetController.ACCOUNT, informers)));
      case ATTACH_DETACH ->
          Optional.of(
              AttachDetach.start(
                  parts.of(name, AttachDetach.ACCOUNT, informers), settings.attachDetach()));
      case CRON_JOBS ->
          Optional.of(
              CronJobController.start(parts.of(name, CronJobController.ACCOUNT, informers)));
      case VOLUME_BINDER ->
          Optional.of(VolumeBinder.start(parts.of(name, VolumeBinder.ACCOUNT, informers)));
      case CLAIM_PROTECTION ->
          Optional.of(ClaimProtection.start(parts.of(name, ClaimProtection.ACCOUNT, informers)));
      case VOLUME_PROTECTION ->
          Optional.of(VolumeProtection.start(parts.of(name, VolumeProtection.ACCOUNT, informers)));
      case EPHEMERAL_VOLUMES ->
          Optional.of(EphemeralVolumes.start(parts.of(name, EphemeralVolumes.ACCOUNT, informers)));
      case JOBS ->
          Optional.of(JobController.start(parts.of(name, JobController.ACCOUNT, informers)));
      case TTL_AFTER_FINISHED ->
          Optional.of(
              TtlAfterFinishedController.start(
                  parts.of(name, TtlAfterFinishedController.ACCOUNT, informers)));
      case GARBAGE_COLLECTOR ->
          Optional.of(
              GarbageCollector.start(
                  parts.of(name, GarbageCollector.ACCOUNT, informers),
                  GarbageCollectorSettings.DEFAULT));
      case NAMESPACES ->
          Optional.of(
              NamespaceController.start(
                  parts.of(name, NamespaceController.ACCOUNT, informers),
                  NamespaceSettings.DEFAULT));
      case SERVICE_ACCOUNTS ->
          Optional.of(ServiceAccounts.start(parts.of(name, ServiceAccounts.ACCOUNT, informers)));
      case ROOT_CERTIFICATES ->
          settings
              .rootCertificates()
              .map(pem ->
                  RootCaPublisher.start(parts.of(name, RootCaPublisher.ACCOUNT, informers), pem));
    };
  }

  /** How many run. */
  public int size() {
    return running.size();
  }

  @Override
  public void close() {
    running.forEach(Controller::close);
    informers.close();
  }
}
