package dev.berth.serving.audit;

import java.util.EnumSet;
import java.util.Set;

/**
 * What is recorded of a request.
 *
 * @param omitStages the stages at which nothing is
 * @param omitManagedFields whether objects are recorded without their managed fields
 * @param failureMessages whether a failure is recorded with what the client was told, which may
 *     quote what it sent
 */
record AuditDecision(
    AuditLevel level,
    Set<AuditStage> omitStages,
    boolean omitManagedFields,
    boolean failureMessages) {
  AuditDecision {
    omitStages = Set.copyOf(omitStages);
  }

  boolean records(AuditStage stage) {
    return level != AuditLevel.NONE && !omitStages.contains(stage);
  }

  AuditDecision omitting(Set<AuditStage> more) {
    Set<AuditStage> all = EnumSet.noneOf(AuditStage.class);
    all.addAll(omitStages);
    all.addAll(more);
    return new AuditDecision(level, all, omitManagedFields, failureMessages);
  }
}
