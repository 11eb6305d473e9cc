package dev.berth.sim.explain;

import dev.berth.model.tree.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of objects that keep pods running. */
public enum WorkloadKind {
  DEPLOYMENT("Deployment", "deployments.apps", "deploy"),
  REPLICA_SET("ReplicaSet", "replicasets.apps", "rs"),
  STATEFUL_SET("StatefulSet", "statefulsets.apps", "sts"),
  DAEMON_SET("DaemonSet", "daemonsets.apps", "ds"),
  JOB("Job", "jobs.batch", "job"),
  REPLICATION_CONTROLLER("ReplicationController", "replicationcontrollers", "rc");

  private final String kind;
  private final String resource;
  private final String shortName;

  WorkloadKind(String kind, String resource, String shortName) {
    this.kind = kind;
    this.resource = resource;
    this.shortName = shortName;
  }

  /**
   * By the word that people use for it: {@code deployment}, {@code deployments}, {@code deploy}.
   */
  public static Optional<WorkloadKind> of(String word) {
    return Arrays.stream(values())
        .filter(each ->
            word.equalsIgnoreCase(each.kind)
                || word.equalsIgnoreCase(each.kind + "s")
                || word.equalsIgnoreCase(each.resource)
                || word.equalsIgnoreCase(each.shortName))
        .findFirst();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(each -> each.kind.toLowerCase(Locale.ROOT)).toList();
  }

  public String kind() {
    return kind;
  }

  public String resource() {
    return resource;
  }

  /** How many pods it should have. */
  public long wanted(JsonObject workload) {
    JsonObject spec = workload.object("spec");
    JsonObject status = workload.object("status");
    return switch (this) {
      case DEPLOYMENT, REPLICA_SET, STATEFUL_SET, REPLICATION_CONTROLLER ->
          spec.integer("replicas").orElse(1);
      case DAEMON_SET -> status.integer("desiredNumberScheduled").orElse(0);
      case JOB -> {
        long most = spec.integer("parallelism").orElse(1);
        long left =
            spec.integer("completions").orElse(Long.MAX_VALUE)
                - status.integer("succeeded").orElse(0);
        boolean ended = spec.flag("suspend", false) || !status.text("completionTime", "").isEmpty();
        yield ended ? 0 : Math.max(0, Math.min(most, left));
      }
    };
  }
}
