package dev.berth.policy.daemon;

import dev.berth.model.core.PodPhase;
import dev.berth.policy.daemon.DaemonNode.Outdated;
import dev.berth.policy.daemon.DaemonNode.Reason;
import dev.berth.policy.daemon.DaemonNode.Removal;
import dev.berth.policy.daemon.DaemonNode.Rules;
import dev.berth.policy.daemon.DaemonNode.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One decision about one node; {@link DaemonNode} has the rules. */
final class DaemonNodeDecision {
  private final DaemonNode node;
  private final Rules rules;
  private final Instant now;
  private final List<Removal> removals = new ArrayList<>();
  private final List<DaemonPod> alive;
  private @Nullable Outdated outdated;
  private @Nullable Instant again;
  private boolean create;
  private int unavailable;
  private int surging;
  private int spare;

  DaemonNodeDecision(DaemonNode node, Rules rules, Instant now) {
    this.node = node;
    this.rules = rules;
    this.now = now;
    this.alive = node.alive();
  }

  Verdict decide() {
    if (node.state() == DaemonNode.State.GONE) {
      removeAll(false);
      return verdict(DaemonCounts.NONE);
    }
    if (!node.eligibility().shouldContinueRunning()) {
      removeAll(true);
      return verdict(counts());
    }
    boolean waits = removeEnded();
    if (rules.strategy().surges()) {
      thinOutWithSurge();
    } else {
      alive.stream().skip(1).forEach(pod -> remove(pod, Reason.TOO_MANY));
    }
    if (shouldCreate() && !waits && !occupied()) {
      create = true;
    }
    update();
    return verdict(counts());
  }

  private void removeAll(boolean alsoBound) {
    for (DaemonPod pod : node.pods()) {
      if (!pod.leaving() && (alsoBound || !pod.bound())) {
        remove(pod, Reason.NOT_HERE);
      }
    }
  }

  /** Whether a pod that has ended is to stay for a while. */
  private boolean removeEnded() {
    boolean waits = false;
    for (DaemonPod pod : node.pods()) {
      if (pod.leaving() || !pod.phase().finished()) {
        continue;
      }
      boolean failed = pod.phase() == PodPhase.FAILED;
      Instant until = node.failures().until();
      if (!node.mayReplace(pod)) {
        waits = true;
      } else if (failed && now.isBefore(until)) {
        lookAgain(until);
        waits = true;
      } else {
        remove(pod, failed ? Reason.FAILED : Reason.SUCCEEDED);
      }
    }
    return waits;
  }

  private void thinOutWithSurge() {
    DaemonPod oldest = null;
    DaemonPod newest = null;
    for (DaemonPod pod : alive) {
      if (rules.isCurrent(pod) && newest == null) {
        newest = pod;
      } else if (!rules.isCurrent(pod) && oldest == null) {
        oldest = pod;
      } else {
        remove(pod, Reason.TOO_MANY);
      }
    }
    if (oldest != null && newest != null && (!oldest.isReady() || isAvailable(newest))) {
      remove(oldest, Reason.OUTDATED);
    }
  }

  private boolean shouldCreate() {
    return node.eligibility().shouldRun() && !node.refusesPods() && !node.podIsComing();
  }

  private boolean occupied() {
    return rules.strategy().surges() ? !alive.isEmpty() : !node.pods().isEmpty();
  }

  private void update() {
    DaemonPod current = null;
    DaemonPod old = null;
    for (DaemonPod pod : alive) {
      if (rules.isCurrent(pod)) {
        current = current == null ? pod : current;
      } else {
        old = old == null ? pod : old;
      }
    }
    if (!node.eligibility().shouldRun()) {
      updateWithoutSuccessor(old, current);
      return;
    }
    if (old == null || current != null || node.podIsComing()) {
      boolean available = old == null && current != null && isAvailable(current);
      unavailable = available ? 0 : 1;
      surging = old != null && (current == null || !isAvailable(current)) ? 1 : 0;
      return;
    }
    boolean available = isAvailable(old);
    unavailable = available ? 0 : 1;
    if (!rules.strategy().rolling() || node.refusesPods()) {
      return;
    }
    if (available) {
      outdated = new Outdated(old, true);
    } else if (rules.strategy().surges()) {
      create = true;
    } else {
      remove(old, Reason.OUTDATED);
    }
  }

  private void updateWithoutSuccessor(@Nullable DaemonPod old, @Nullable DaemonPod current) {
    DaemonPod there = old == null ? current : old;
    boolean available = there != null && isAvailable(there);
    spare = available ? 1 : 0;
    if (old == null || !rules.strategy().rolling() || node.refusesPods()) {
      return;
    }
    if (available) {
      outdated = new Outdated(old, false);
    } else {
      remove(old, Reason.OUTDATED);
    }
  }

  private void remove(DaemonPod pod, Reason reason) {
    if (removals.stream().noneMatch(removal -> removal.pod().equals(pod))) {
      removals.add(new Removal(pod, reason));
    }
  }

  /** The oldest pod speaks for the node, whether it is on its way out or not, as upstream. */
  private DaemonCounts counts() {
    boolean desired = node.eligibility().shouldRun();
    Optional<DaemonPod> pod = node.pods().stream().min(DaemonPod.OLDEST_FIRST);
    if (!desired) {
      return pod.isEmpty() ? DaemonCounts.NONE : new DaemonCounts(0, 0, 1, 0, 0, 0, 0, 0, spare);
    }
    return new DaemonCounts(
        1,
        pod.isPresent() ? 1 : 0,
        0,
        pod.isPresent() && pod.get().isReady() ? 1 : 0,
        pod.isPresent() && isAvailable(pod.get()) ? 1 : 0,
        pod.isPresent() && rules.isCurrent(pod.get()) ? 1 : 0,
        unavailable,
        surging,
        0);
  }

  private boolean isAvailable(DaemonPod pod) {
    if (!pod.isReady()) {
      return false;
    }
    Instant from = pod.readySince().plus(rules.strategy().minReady());
    if (from.isAfter(now)) {
      lookAgain(from);
      return false;
    }
    return true;
  }

  private void lookAgain(Instant when) {
    if (again == null || when.isBefore(again)) {
      again = when;
    }
  }

  private Verdict verdict(DaemonCounts counts) {
    return new Verdict(
        create,
        List.copyOf(removals),
        counts,
        Optional.ofNullable(outdated),
        Optional.ofNullable(again));
  }
}
