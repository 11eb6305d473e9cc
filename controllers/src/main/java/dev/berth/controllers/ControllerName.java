package dev.berth.controllers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The controllers that there are, by the names that upstream's flags have for them. */
public enum ControllerName {
  NODE_LIFECYCLE("node-lifecycle-controller", "nodelifecycle"),
  TAINT_EVICTION("taint-eviction-controller", ""),
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
  EPHEMERAL_VOLUMES("ephemeral-volume-controller", "ephemeral-volume"),
  RESOURCE_CLAIMS("resourceclaim-controller", ""),
  DEVICE_TAINT_EVICTION("device-taint-eviction-controller", ""),
  JOBS("job-controller", "job"),
  TTL_AFTER_FINISHED("ttl-after-finished-controller", "ttl-after-finished"),
  GARBAGE_COLLECTOR("garbage-collector-controller", "garbagecollector"),
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

  /** Which controllers run. */
  public sealed interface Chosen {
    record Valid(Set<ControllerName> names) implements Chosen {}

    /** Nobody has this name. */
    record Unknown(String name) implements Chosen {}
  }

  public static Set<ControllerName> all() {
    return EnumSet.allOf(ControllerName.class);
  }

  /** All words, for messages. */
  public static List<String> words() {
    return Arrays.stream(values()).map(ControllerName::word).toList();
  }

  /**
   * Chooses as upstream's {@code --controllers}: {@code name} wants one, {@code -name} does not,
   * and {@code *} wants all that are not named. The first word about one counts.
   */
  public static Chosen choose(List<String> said) {
    Set<ControllerName> wanted = EnumSet.noneOf(ControllerName.class);
    Set<ControllerName> named = EnumSet.noneOf(ControllerName.class);
    boolean others = false;
    for (String part : said) {
      String item = part.strip();
      if (item.equals("*")) {
        others = true;
        continue;
      }
      boolean not = item.startsWith("-");
      Optional<ControllerName> name = of(not ? item.substring(1) : item);
      if (name.isEmpty()) {
        return new Chosen.Unknown(not ? item.substring(1) : item);
      }
      if (named.add(name.get()) && !not) {
        wanted.add(name.get());
      }
    }
    if (others) {
      Set<ControllerName> rest = all();
      rest.removeAll(named);
      wanted.addAll(rest);
    }
    return new Chosen.Valid(wanted);
  }

  private static Optional<ControllerName> of(String word) {
    return Arrays.stream(values())
        .filter(name -> name.word.equals(word) || (!word.isEmpty() && name.olderWord.equals(word)))
        .findFirst();
  }
}
