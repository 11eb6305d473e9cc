package dev.berth.model.apps;

import dev.berth.model.core.IntOrPercent;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;

/**
 * What a StatefulSet asks for, its template aside.
 *
 * @param serviceName the service that its pods' host names are under; empty if none
 * @param selectedLabels the labels that its selector names
 * @param start the first ordinal
 * @param parallel whether pods come and go without waiting for each other
 * @param rolling whether outdated pods are replaced without being deleted by somebody
 * @param partition pods of lower ordinals, counted from the first, keep the current revision
 * @param minReady how long a pod must have been ready to count as available
 * @param claimTemplates one claim of each for every pod
 * @param deletedWithSet whether claims go when the set does
 * @param deletedWithPod whether claims go when their pods are scaled away
 */
public record StatefulSetSpec(
    String serviceName,
    JsonObject selectedLabels,
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

  public static StatefulSetSpec read(JsonObject spec) {
    JsonObject strategy = spec.object("updateStrategy");
    JsonObject rolling = strategy.object("rollingUpdate");
    JsonObject retention = spec.object("persistentVolumeClaimRetentionPolicy");
    return new StatefulSetSpec(
        spec.text("serviceName", ""),
        spec.object("selector").object("matchLabels"),
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
  public boolean wants(long ordinal) {
    return ordinal >= start && ordinal < start + replicas;
  }
}
