package dev.berth.controllers.podgc;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.RetryingRequests;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.model.core.Condition;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podgc.PodGarbage.Reason;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Deletes pods by force, each until it is done. A pod that has not finished is marked Failed first,
 * since nobody else will say how it ended, and whoever counts it (a Job, say) waits for that.
 */
final class ForcedDeletions {
  private static final int AT_ONCE = 32;
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);
  private static final JsonObject ORPHANED =
      Conditions.condition(
          Condition.DISRUPTION_TARGET,
          Conditions.TRUE,
          "DeletionByPodGC",
          "PodGC: node no longer exists");

  private final Api api;
  private final Time time;
  private final RetryingRequests retrying;
  private final Family<Counter> deletions;
  private final Family<Counter> failures;
  private final Consumer<String> warnings;

  /** By UID: those that are being deleted, and those that were and have not been seen to go. */
  private final Map<String, ForcedDeletion> underWay = new HashMap<>();

  private Instant nextComplaint = Instant.MIN;

  /** Says what a pod is now, and whether it is still to be collected for a reason. */
  interface GarbageCheck {
    /** The pod as it is, if it is still to go. */
    Optional<JsonObject> garbage(Reason reason);
  }

  ForcedDeletions(ControllerParts parts, Loop loop) {
    this.api = parts.api();
    this.time = parts.time();
    this.retrying = new RetryingRequests(loop, time, AT_ONCE);
    this.warnings = parts.warnings();
    this.deletions =
        parts
            .metrics()
            .counters(
                "pod_gc_collector_force_delete_pods_total",
                "Number of pods that are being forcefully deleted since the Pod GC Controller"
                    + " started.",
                "namespace",
                "reason");
    this.failures =
        parts
            .metrics()
            .counters(
                "pod_gc_collector_force_delete_pod_errors_total",
                "Number of errors encountered when forcefully deleting the pods since the Pod GC"
                    + " Controller started.",
                "namespace",
                "reason");
  }

  /**
   * Begins to delete a pod; one that is being deleted already has a further reason to be, if the
   * first should fall away.
   */
  void collect(ObjectName name, String uid, Reason reason, GarbageCheck check) {
    ForcedDeletion known = underWay.get(uid);
    if (known != null) {
      known.reasons.add(reason);
    } else {
      ForcedDeletion deletion = new ForcedDeletion(name, uid, reason, check);
      underWay.put(uid, deletion);
      deletions.with(name.namespace(), reason.word()).increment();
      retrying.make(deletion).begin();
    }
  }

  /** Forgets a pod that is no more. */
  void forget(String uid) {
    underWay.remove(uid);
  }

  private final class ForcedDeletion implements RetryingRequests.Task {
    private final ObjectName name;
    private final String uid;
    private final Set<Reason> reasons;
    private final GarbageCheck check;

    ForcedDeletion(ObjectName name, String uid, Reason reason, GarbageCheck check) {
      this.name = name;
      this.uid = uid;
      this.reasons = EnumSet.of(reason);
      this.check = check;
    }

    @Override
    public Optional<Supplier<ApiResult>> next() {
      Instant now = time.now();
      for (Reason reason : reasons) {
        Optional<JsonObject> pod = check.garbage(reason);
        if (pod.isPresent()) {
          return Optional.of(() -> failAndDelete(pod.get(), reason, now));
        }
      }
      underWay.remove(uid, this);
      return Optional.empty();
    }

    private ApiResult failAndDelete(JsonObject pod, Reason reason, Instant now) {
      if (!new PodTree(pod).phase().finished()) {
        JsonObject.Builder status = new JsonObject.Builder().put("phase", "Failed");
        if (Metadata.of(pod).generation() > 0) {
          status.put("observedGeneration", Metadata.of(pod).generation());
        }
        if (reason == Reason.ORPHANED) {
          PodWrites.changed(pod, PodWrites.observed(pod, ORPHANED), now)
              .ifPresent(condition -> status.put("conditions", JsonArray.of(condition)));
        }
        ApiResult marked = PodWrites.patch(api, pod, status.build());
        if (!marked.isDone()) {
          return marked;
        }
      }
      DeleteOptions byForce = DeleteOptions.NONE.grace(0).onlyUid(Metadata.of(pod).uid());
      return api.delete(Resources.PODS, name, byForce);
    }

    @Override
    public void done() {
      // It stays known until it is seen to be gone, so that older news does not begin it again.
    }

    @Override
    public void failed(ApiResult.Failure why, Duration delay) {
      if (why.isNotFound() || why.isConflict()) {
        return;
      }
      String word = reasons.iterator().next().word();
      failures.with(name.namespace(), word).increment();
      Instant now = time.monotonicNow();
      if (!now.isBefore(nextComplaint)) {
        nextComplaint = now.plus(BETWEEN_COMPLAINTS);
        warnings.accept(
            "cannot delete pod %s (%s), and tries again in %d s: %s"
                .formatted(name, word, delay.toSeconds(), why.message()));
      }
    }
  }
}
