package dev.berth.policy.stateful;

import dev.berth.model.core.IntOrPercent;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;

/**
 * What a StatefulSet asks for, its template aside.
 *
 * @param start the first ordinal
 * @param parallel whether pods come and go without waiting for each other
 * @param rolling whether outdated pods are replaced without being deleted by somebody
 * @param partition pods of lower ordinals, counted from the first, keep the current revision
 * @param minReady how long a pod must have been ready to count as available
 * @param claimTemplates one claim of each for every pod
 * @param deletedWithSet whether claims go when the set does
 * @param deletedWithPod whether claims go when their pods are scaled away
 */
public record StatefulSpec(
    String namespace,
    String name,
    long replicas,
    long start,
    boolean parallel,
    boolean rolling,
    long partition,
    IntOrPercent maxUnavailable,
    Duration minReady,
    List<JsonObject> claimTemplates,
    boolean deletedWithSet,
    boolean deletedWithPod) {

  public static StatefulSpec read(JsonObject set) {
    JsonObject spec = set.object("spec");
    JsonObject strategy = spec.object("updateStrategy");
    JsonObject rolling = strategy.object("rollingUpdate");
    JsonObject retention = spec.object("persistentVolumeClaimRetentionPolicy");
    return new StatefulSpec(
        Metadata.of(set).namespace(),
        Metadata.of(set).name(),
        spec.integer("replicas").orElse(1),
        spec.object("ordinals").integer("start").orElse(0),
        spec.text("podManagementPolicy", "OrderedReady").equals("Parallel"),
        !strategy.text("type", "RollingUpdate").equals("OnDelete"),
        rolling.integer("partition").orElse(0),
        IntOrPercent.read(rolling, "maxUnavailable").orElse(new IntOrPercent.Count(1)),
        Duration.ofSeconds(spec.integer("minReadySeconds").orElse(0)),
        spec.array("volumeClaimTemplates").objects(),
        retention.text("whenDeleted", "Retain").equals("Delete"),
        retention.text("whenScaled", "Retain").equals("Delete"));
  }

  /** Whether a pod of this ordinal belongs to the set as it is scaled now. */
  boolean wants(long ordinal) {
    return ordinal >= start && ordinal < start + replicas;
  }

  /** Whether a new pod of this ordinal is of the current revision, and not of the latest. */
  boolean keepsCurrent(long ordinal) {
    return rolling && ordinal < start + partition;
  }

  /** How many pods may be unavailable in a rolling update: one at least; shares are rounded up. */
  long mostUnavailable() {
    return switch (maxUnavailable) {
      case IntOrPercent.Count(long count) -> Math.max(1, count);
      case IntOrPercent.Percent(long percent) ->
          Math.max(1, Math.ceilDiv(percent * replicas, 100L));
      case IntOrPercent.Malformed _ -> 1;
    };
  }

  String podName(long ordinal) {
    return name + "-" + ordinal;
  }

  /** The ordinal in a pod's name; negative if it is not a name of this set's pods. */
  public long ordinal(String pod) {
    String digits = pod.startsWith(name + "-") ? pod.substring(name.length() + 1) : "";
    return digits.matches("0|[1-9][0-9]{0,8}") ? Long.parseLong(digits) : -1;
  }
}
