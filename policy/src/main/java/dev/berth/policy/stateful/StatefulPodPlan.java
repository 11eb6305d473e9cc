package dev.berth.policy.stateful;

import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.core.IntOrPercent;
import dev.berth.model.core.PodPhase;
import dev.berth.policy.pod.RejectionBackoff;
import dev.berth.policy.stateful.PodAction.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which pods of a StatefulSet come and go.
 *
 * <ol>
 *   <li>A pod is made where there is none of its name. One that is on its way out is one: it stays
 *       until its agent has confirmed that it ended, or somebody says so by force.
 *   <li>A pod that has ended is deleted, and made next when it is gone. One that its node rejected
 *       is deleted after a while: {@link RejectionBackoff}.
 *   <li>Ordered sets make one pod at a time, in the order of their ordinals, and go on when all
 *       before it are available; they delete one at a time, the highest first, when all others are
 *       available, or when it is the first that is not, or has ended: upstream would wait for ever
 *       if several have. Parallel ones do not wait.
 *   <li>Scaling comes before updating.
 *   <li>A rolling update deletes outdated pods, the highest ordinals first and none below the
 *       partition, while no more than so many are unavailable. One that is unavailable anyway may
 *       be deleted without taking anything from the others; upstream would wait for it.
 * </ol>
 *
 * @param next when one that is ready will be available, or one that was rejected is to be deleted
 * @param rejections what to remember of pods that their nodes rejected
 */
record StatefulPodPlan(
    List<PodAction> actions,
    StatefulCounts counts,
    Optional<Instant> next,
    RejectionBackoff rejections) {
  StatefulPodPlan {
    actions = List.copyOf(actions);
  }

  /**
   * Decides.
   *
   * @param pods those that the set owns
   */
  static StatefulPodPlan decide(
      StatefulSetSpec spec,
      Collection<StatefulPod> pods,
      StatefulStatus.Revisions revisions,
      RejectionBackoff rejections,
      Instant now) {
    return new Step(spec, pods, revisions, rejections, now).plan();
  }

  /** The decision in the making. */
  private static final class Step {
    private final StatefulSetSpec spec;
    private final String currentRevision;
    private final String updateRevision;
    private final RejectionBackoff rejections;
    private final Instant now;
    private final Map<Long, StatefulPod> wanted = new TreeMap<>();
    private final List<StatefulPod> condemned = new ArrayList<>();
    private final List<PodAction> actions = new ArrayList<>();
    private final Set<String> replaced = new HashSet<>();
    private @Nullable Instant next;

    Step(
        StatefulSetSpec spec,
        Collection<StatefulPod> pods,
        StatefulStatus.Revisions revisions,
        RejectionBackoff rejections,
        Instant now) {
      this.spec = spec;
      this.currentRevision = revisions.current();
      this.updateRevision = revisions.update();
      this.rejections = rejections;
      this.now = now;
      for (StatefulPod pod : pods) {
        if (spec.wants(pod.ordinal())) {
          wanted.put(pod.ordinal(), pod);
        } else if (pod.ordinal() >= 0) {
          condemned.add(pod);
        }
      }
      condemned.sort(Comparator.comparingLong(StatefulPod::ordinal).reversed());
    }

    StatefulPodPlan plan() {
      if (fillUp() && scaleDown() && spec.rolling()) {
        update();
      }
      return new StatefulPodPlan(
          actions,
          counts(),
          Optional.ofNullable(next),
          replaced.isEmpty() ? rejections : rejections.replacing(replaced, now));
    }

    /** Whether to go on. */
    private boolean fillUp() {
      for (long ordinal = spec.start(); ordinal < spec.start() + spec.replicas(); ordinal++) {
        StatefulPod pod = wanted.get(ordinal);
        boolean settled = pod == null ? make(ordinal) : tend(pod);
        if (!settled && !spec.parallel()) {
          return false;
        }
      }
      return true;
    }

    private boolean make(long ordinal) {
      actions.add(new PodAction.Create(ordinal, keepsCurrent(ordinal)));
      return false;
    }

    /** Whether the pod is as it should be. */
    private boolean tend(StatefulPod pod) {
      if (pod.phase().finished()) {
        if (!pod.leaving() && !isHeld(pod)) {
          boolean failed = pod.phase() == PodPhase.FAILED;
          actions.add(new PodAction.Delete(pod, failed ? Reason.FAILED : Reason.SUCCEEDED));
        }
        return false;
      }
      if (pod.phase() == PodPhase.PENDING && !pod.leaving() && !spec.claimTemplates().isEmpty()) {
        actions.add(new PodAction.CreateClaims(pod));
      }
      if (!pod.hasIdentity() && !pod.leaving()) {
        actions.add(new PodAction.Label(pod));
      }
      return !pod.leaving() && isAvailable(pod);
    }

    /** Whether a pod is one that its node rejected, and is to stay for now. */
    private boolean isHeld(StatefulPod pod) {
      if (!pod.isRejected()) {
        return false;
      }
      if (rejections.holds(pod.uid(), now)) {
        earliest(rejections.until());
        return true;
      }
      replaced.add(pod.uid());
      return false;
    }

    private void earliest(Instant at) {
      next = next == null || at.isBefore(next) ? at : next;
    }

    /** Whether to go on. */
    private boolean scaleDown() {
      StatefulPod firstUnhealthy = null;
      for (StatefulPod pod : condemned.reversed()) {
        if (firstUnhealthy == null && !isHealthy(pod)) {
          firstUnhealthy = pod;
        }
      }
      for (StatefulPod pod : condemned) {
        boolean mayGo =
            spec.parallel()
                || isHealthy(pod)
                || pod.phase().finished()
                || pod.equals(firstUnhealthy);
        if (!pod.leaving() && mayGo) {
          actions.add(new PodAction.Delete(pod, Reason.SCALED_DOWN));
        }
        if (!spec.parallel()) {
          return false;
        }
      }
      return true;
    }

    private void update() {
      long unavailable = spec.replicas() - wanted.values().stream().filter(this::isHealthy).count();
      long room = mostUnavailable() - unavailable;
      for (StatefulPod pod : List.copyOf(wanted.values()).reversed()) {
        boolean outdated =
            !pod.revision().equals(updateRevision)
                && !pod.leaving()
                && !pod.phase().finished()
                && !keepsCurrent(pod.ordinal());
        if (outdated && (!isHealthy(pod) || room > 0)) {
          room -= isHealthy(pod) ? 1 : 0;
          actions.add(new PodAction.Delete(pod, Reason.OUTDATED));
        }
      }
    }

    /** Whether a new pod of this ordinal is of the current revision, and not of the latest. */
    private boolean keepsCurrent(long ordinal) {
      return spec.rolling() && ordinal < spec.start() + spec.partition();
    }

    /** How many pods may be unavailable meanwhile: one at least; shares are rounded up. */
    private long mostUnavailable() {
      return switch (spec.maxUnavailable()) {
        case IntOrPercent.Count(long count) -> Math.max(1, count);
        case IntOrPercent.Percent(long percent) ->
            Math.max(1, Math.ceilDiv(percent * spec.replicas(), 100L));
        case IntOrPercent.Malformed _ -> 1;
      };
    }

    private boolean isHealthy(StatefulPod pod) {
      return !pod.leaving() && isAvailable(pod);
    }

    private boolean isAvailable(StatefulPod pod) {
      Instant from = pod.availableFrom(spec.minReady());
      if (!from.isAfter(now)) {
        return true;
      }
      if (pod.isReady()) {
        earliest(from);
      }
      return false;
    }

    private StatefulCounts counts() {
      long ready = 0;
      long available = 0;
      long current = 0;
      long updated = 0;
      List<StatefulPod> all = new ArrayList<>(wanted.values());
      all.addAll(condemned);
      for (StatefulPod pod : all) {
        ready += pod.isReady() ? 1 : 0;
        available += isAvailable(pod) ? 1 : 0;
        if (!pod.leaving()) {
          current += pod.revision().equals(currentRevision) ? 1 : 0;
          updated += pod.revision().equals(updateRevision) ? 1 : 0;
        }
      }
      return new StatefulCounts(all.size(), ready, available, current, updated);
    }
  }
}
