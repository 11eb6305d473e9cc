package dev.berth.controllers;

import dev.berth.client.Api;
import dev.berth.client.LoggedApi;
import dev.berth.client.informer.Informers;
import dev.berth.client.informer.SharedInformers;
import dev.berth.component.Components;
import dev.berth.controllers.attachdetach.AttachDetachController;
import dev.berth.controllers.bootstrap.BootstrapSigner;
import dev.berth.controllers.bootstrap.TokenCleaner;
import dev.berth.controllers.certificates.CertificateApprovingController;
import dev.berth.controllers.certificates.CertificateCleaner;
import dev.berth.controllers.certificates.CertificateSigningController;
import dev.berth.controllers.cronjob.CronJobController;
import dev.berth.controllers.daemonset.DaemonSetController;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.controllers.deployment.DeploymentController;
import dev.berth.controllers.devicetainteviction.DeviceTaintEviction;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.controllers.endpoint.LegacyEndpointsController;
import dev.berth.controllers.endpointslice.EndpointSliceController;
import dev.berth.controllers.endpointslicemirroring.EndpointSliceMirroringController;
import dev.berth.controllers.ephemeral.EphemeralVolumeController;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.controllers.job.JobController;
import dev.berth.controllers.namespace.NamespaceController;
import dev.berth.controllers.namespace.NamespaceSettings;
import dev.berth.controllers.nodedrain.NodeDrainController;
import dev.berth.controllers.nodeipam.NodeIpamController;
import dev.berth.controllers.nodelease.NodeLeaseController;
import dev.berth.controllers.nodelifecycle.KnownHeartbeats;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.persistentvolume.VolumeBinder;
import dev.berth.controllers.podautoscaler.HorizontalPodAutoscalerController;
import dev.berth.controllers.podgc.PodGarbageCollector;
import dev.berth.controllers.pvcprotection.PvcProtectionController;
import dev.berth.controllers.pvprotection.PvProtectionController;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.replicaset.ReplicaSetController;
import dev.berth.controllers.replication.ReplicationManager;
import dev.berth.controllers.resourceclaim.ResourceClaimController;
import dev.berth.controllers.resourcequota.ResourceQuotaController;
import dev.berth.controllers.rootcacertpublisher.RootCaPublisher;
import dev.berth.controllers.serviceaccount.LegacyTokenCleaner;
import dev.berth.controllers.serviceaccount.ServiceAccountController;
import dev.berth.controllers.serviceaccount.TokenSettings;
import dev.berth.controllers.serviceaccount.TokensController;
import dev.berth.controllers.servicecidrs.ServiceCidrController;
import dev.berth.controllers.statefulset.StatefulSetController;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.controllers.ttlafterfinished.TtlAfterFinishedController;
import dev.berth.controllers.vacprotection.VacProtectionController;
import dev.berth.metrics.Metrics;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Time;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/**
 * All controllers of a cluster, each working as its own service account. They hear of objects by
 * informers that they share, and depend on these; each of them is supervised by itself.
 */
public final class Controllers {
  /** What the informers are called among components. */
  public static final String INFORMERS = "shared-informers";

  /**
   * What they are made of.
   *
   * @param apiFor the server, as a service account of kube-system sees it
   * @param reader the server, as somebody sees it who may read everything: what many of them need
   *     to know is read once, for all
   * @param informers how that is made by which they share it
   */
  public record Parts(
      Function<String, Api> apiFor,
      Api reader,
      Metrics metrics,
      KnownHeartbeats heartbeats,
      BiFunction<Api, Time, SharedInformers> informers) {

    public Parts(
        Function<String, Api> apiFor, Api reader, Metrics metrics, KnownHeartbeats heartbeats) {
      this(apiFor, reader, metrics, heartbeats, SharedInformers::new);
    }

    /**
     * The same, of a leader.
     *
     * @param leader makes of an API the one by which a leader writes
     */
    public Parts as(UnaryOperator<Api> leader) {
      return new Parts(
          account -> leader.apply(apiFor.apply(account)),
          leader.apply(reader),
          metrics,
          heartbeats,
          informers);
    }

    /** Of nodes that write all their heartbeats. */
    public Parts(Function<String, Api> apiFor, Api reader, Metrics metrics) {
      this(apiFor, reader, metrics, KnownHeartbeats.NONE);
    }
  }

  /** One of them, about to be started. */
  private record Start(ControllerName name, Parts parts, Informers informers, Time time) {
    ControllerParts as(String account) {
      return with(parts.apiFor().apply(account));
    }

    /** With the rights of all controllers together: those of none of them. */
    ControllerParts asManager() {
      return with(parts.reader());
    }

    private ControllerParts with(Api api) {
      return new ControllerParts(
          new LoggedApi(api, name.word()),
          informers,
          time,
          parts.metrics(),
          LoggerFactory.getLogger(name.word())::warn);
    }
  }

  private Controllers() {}

  /** Which of them run with these settings. */
  public static List<ControllerName> names(ControllerSettings settings) {
    return Arrays.stream(ControllerName.values())
        .filter(settings.run()::contains)
        .filter(name -> name != ControllerName.NODE_IPAM || settings.ipam().isPresent())
        .filter(
            name -> name != ControllerName.CERTIFICATE_SIGNING || settings.signing().isAnybody())
        .filter(name ->
            name != ControllerName.SERVICE_ACCOUNT_TOKENS || settings.tokenSigner().isPresent())
        .filter(name ->
            name != ControllerName.ROOT_CERTIFICATES || settings.rootCertificates().isPresent())
        .toList();
  }

  /** Runs those that the settings name. Returns at once. */
  public static Components.Handle run(
      Components components, Parts parts, ControllerSettings settings) {
    return components.run(
        INFORMERS,
        scope -> {
          SharedInformers informers = parts.informers().apply(parts.reader(), scope.time());
          parts
              .metrics()
              .totals(
                  "berth_informer_notifications_total",
                  "Changes that controllers were told of, each controller counted.",
                  List.of(),
                  each -> each.accept(List.of(), (double) informers.told()));
          for (ControllerName name : names(settings)) {
            scope.run(
                name.word(), own -> start(new Start(name, parts, informers, own.time()), settings));
          }
          return informers;
        });
  }

  private static Controller start(Start start, ControllerSettings settings) {
    TolerationRules rules = settings.gates().tolerations();
    return switch (start.name()) {
      case NODE_LIFECYCLE ->
          NodeLifecycle.start(
              start.as(NodeLifecycle.ACCOUNT), settings.lifecycle(), start.parts().heartbeats());
      case TAINT_EVICTION -> TaintEviction.start(start.as(TaintEviction.ACCOUNT), rules);
      case NODE_DRAINS -> NodeDrainController.start(start.as(NodeDrainController.ACCOUNT));
      case POD_COLLECTION ->
          PodGarbageCollector.start(
              start.as(PodGarbageCollector.ACCOUNT), settings.collection(), rules);
      case NODE_IPAM ->
          NodeIpamController.start(
              start.as(NodeIpamController.ACCOUNT), settings.ipam().orElseThrow());
      case NODE_LEASES -> NodeLeaseController.start(start.as(NodeLeaseController.ACCOUNT));
      case REPLICATION_CONTROLLERS ->
          ReplicationManager.start(start.as(ReplicationManager.ACCOUNT));
      case REPLICA_SETS -> ReplicaSetController.start(start.as(ReplicaSetController.ACCOUNT));
      case DEPLOYMENTS -> DeploymentController.start(start.as(DeploymentController.ACCOUNT));
      case DAEMON_SETS ->
          DaemonSetController.start(
              start.as(DaemonSetController.ACCOUNT),
              new DaemonSetSettings(settings.gates().isOn(FeatureGate.SCHEDULE_DAEMON_SET_PODS)),
              rules);
      case AUTOSCALING ->
          HorizontalPodAutoscalerController.start(
              start.as(HorizontalPodAutoscalerController.ACCOUNT), settings.autoscaling());
      case DISRUPTION -> DisruptionController.start(start.as(DisruptionController.ACCOUNT));
      case ENDPOINTS ->
          LegacyEndpointsController.start(start.as(LegacyEndpointsController.ACCOUNT));
      case ENDPOINT_SLICES ->
          EndpointSliceController.start(start.as(EndpointSliceController.ACCOUNT));
      case MIRRORED_SLICES ->
          EndpointSliceMirroringController.start(
              start.as(EndpointSliceMirroringController.ACCOUNT));
      case SERVICE_CIDRS -> ServiceCidrController.start(start.as(ServiceCidrController.ACCOUNT));
      case STATEFUL_SETS -> StatefulSetController.start(start.as(StatefulSetController.ACCOUNT));
      case ATTACH_DETACH ->
          AttachDetachController.start(
              start.as(AttachDetachController.ACCOUNT), settings.attachDetach());
      case CRON_JOBS -> CronJobController.start(start.as(CronJobController.ACCOUNT));
      case VOLUME_BINDER -> VolumeBinder.start(start.as(VolumeBinder.ACCOUNT));
      case CLAIM_PROTECTION ->
          PvcProtectionController.start(start.as(PvcProtectionController.ACCOUNT));
      case VOLUME_PROTECTION ->
          PvProtectionController.start(start.as(PvProtectionController.ACCOUNT));
      case ATTRIBUTES_CLASS_PROTECTION ->
          VacProtectionController.start(start.as(VacProtectionController.ACCOUNT));
      case EPHEMERAL_VOLUMES ->
          EphemeralVolumeController.start(start.as(EphemeralVolumeController.ACCOUNT));
      case RESOURCE_CLAIMS ->
          ResourceClaimController.start(start.as(ResourceClaimController.ACCOUNT));
      case DEVICE_TAINT_EVICTION ->
          DeviceTaintEviction.start(start.as(DeviceTaintEviction.ACCOUNT));
      case JOBS -> JobController.start(start.as(JobController.ACCOUNT));
      case TTL_AFTER_FINISHED ->
          TtlAfterFinishedController.start(start.as(TtlAfterFinishedController.ACCOUNT));
      case GARBAGE_COLLECTOR ->
          GarbageCollector.start(
              start.as(GarbageCollector.ACCOUNT), GarbageCollectorSettings.DEFAULT);
      case RESOURCE_QUOTAS ->
          ResourceQuotaController.start(start.as(ResourceQuotaController.ACCOUNT));
      case NAMESPACES ->
          NamespaceController.start(
              start.as(NamespaceController.ACCOUNT), NamespaceSettings.DEFAULT);
      case SERVICE_ACCOUNTS ->
          ServiceAccountController.start(start.as(ServiceAccountController.ACCOUNT));
      case SERVICE_ACCOUNT_TOKENS ->
          TokensController.start(
              start.asManager(),
              new TokenSettings(
                  settings.tokenSigner().orElseThrow(),
                  settings.rootCertificates().orElse(() -> "")));
      case LEGACY_TOKEN_CLEANER ->
          LegacyTokenCleaner.start(
              start.as(LegacyTokenCleaner.ACCOUNT), settings.unusedTokenPeriod());
      case ROOT_CERTIFICATES ->
          RootCaPublisher.start(
              start.as(RootCaPublisher.ACCOUNT), settings.rootCertificates().orElseThrow());
      case CERTIFICATE_APPROVING ->
          CertificateApprovingController.start(start.as(CertificateApprovingController.ACCOUNT));
      case CERTIFICATE_SIGNING ->
          CertificateSigningController.start(
              start.as(CertificateApprovingController.ACCOUNT), settings.signing());
      case CERTIFICATE_CLEANER ->
          CertificateCleaner.start(start.as(CertificateApprovingController.ACCOUNT));
      case BOOTSTRAP_SIGNER -> BootstrapSigner.start(start.as(BootstrapSigner.ACCOUNT));
      case TOKEN_CLEANER -> TokenCleaner.start(start.as(TokenCleaner.ACCOUNT));
    };
  }
}
