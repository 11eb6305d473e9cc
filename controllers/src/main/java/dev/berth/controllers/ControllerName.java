package dev.berth.controllers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The controllers that there are, by the names that upstream's flags have for them. */
public enum ControllerName {
  NODE_LIFECYCLE("node-lifecycle-controller", "nodelifecycle"),
  TAINT_EVICTION("taint-eviction-controller", ""),
  /** Not among upstream's, which has no such resource. */
  NODE_DRAINS("nodedrain-controller", "nodedrain"),
  POD_COLLECTION("pod-garbage-collector-controller", "podgc"),
  NODE_IPAM("node-ipam-controller", "nodeipam"),
  /** Not among upstream's, whose garbage collector does its work. */
  NODE_LEASES("node-lease-controller", ""),
  REPLICATION_CONTROLLERS("replicationcontroller-controller", "replicationcontroller"),
  REPLICA_SETS("replicaset-controller", "replicaset"),
  DEPLOYMENTS("deployment-controller", "deployment"),
  DAEMON_SETS("daemonset-controller", "daemonset"),
  AUTOSCALING("horizontal-pod-autoscaler-controller", "horizontalpodautoscaling"),
  DISRUPTION("disruption-controller", "disruption"),
  ENDPOINTS("endpoints-controller", "endpoint"),
  ENDPOINT_SLICES("endpointslice-controller", "endpointslice"),
  MIRRORED_SLICES("endpointslice-mirroring-controller", "endpointslicemirroring"),
  SERVICE_CIDRS("service-cidr-controller", ""),
  STATEFUL_SETS("statefulset-controller", "statefulset"),
  ATTACH_DETACH("persistentvolume-attach-detach-controller", "attachdetach"),
  CRON_JOBS("cronjob-controller", "cronjob"),
  VOLUME_BINDER("persistentvolume-binder-controller", "persistentvolume-binder"),
  CLAIM_PROTECTION("persistentvolumeclaim-protection-controller", "pvc-protection"),
  VOLUME_PROTECTION("persistentvolume-protection-controller", "pv-protection"),
  ATTRIBUTES_CLASS_PROTECTION("volumeattributesclass-protection-controller", ""),
  EPHEMERAL_VOLUMES("ephemeral-volume-controller", "ephemeral-volume"),
  RESOURCE_CLAIMS("resourceclaim-controller", ""),
  DEVICE_TAINT_EVICTION("device-taint-eviction-controller", ""),
  JOBS("job-controller", "job"),
  TTL_AFTER_FINISHED("ttl-after-finished-controller", "ttl-after-finished"),
  GARBAGE_COLLECTOR("garbage-collector-controller", "garbagecollector"),
  RESOURCE_QUOTAS("resourcequota-controller", "resourcequota"),
  NAMESPACES("namespace-controller", "namespace"),
  SERVICE_ACCOUNTS("serviceaccount-controller", "serviceaccount"),
  /** Runs where there is a key to sign with. */
  SERVICE_ACCOUNT_TOKENS("serviceaccount-token-controller", "serviceaccount-token"),
  LEGACY_TOKEN_CLEANER(
      "legacy-serviceaccount-token-cleaner-controller", "legacy-service-account-token-cleaner"),
  ROOT_CERTIFICATES("root-ca-certificate-publisher-controller", "root-ca-cert-publisher"),
  CERTIFICATE_APPROVING("certificatesigningrequest-approving-controller", "csrapproving"),
  /** Runs where there is a key to sign with. */
  CERTIFICATE_SIGNING("certificatesigningrequest-signing-controller", "csrsigning"),
  CERTIFICATE_CLEANER("certificatesigningrequest-cleaner-controller", "csrcleaner"),
  /** Unlike upstream's, this one and the next run without being asked for by name. */
  BOOTSTRAP_SIGNER("bootstrap-signer-controller", "bootstrapsigner"),
  TOKEN_CLEANER("token-cleaner-controller", "tokencleaner");

  private final String word;
  private final String olderWord;

  ControllerName(String word, String olderWord) {
    this.word = word;
    this.olderWord = olderWord;
  }

  /** As flags say it. */
  public String word() {
    return word;
  }

  public static Set<ControllerName> all() {
    return EnumSet.allOf(ControllerName.class);
  }

  /** All words, for messages. */
  public static List<String> words() {
    return Arrays.stream(values()).map(ControllerName::word).toList();
  }

  /** Chooses by what {@code --controllers} says. */
  public static ControllerChoice<ControllerName> choose(List<String> said) {
    return ControllerChoice.of(said, all(), name -> List.of(name.word, name.olderWord));
  }
}
