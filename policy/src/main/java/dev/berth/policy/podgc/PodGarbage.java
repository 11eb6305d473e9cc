package dev.berth.policy.podgc;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.policy.taint.CountdownStart;
import dev.berth.policy.taint.EvictionTime;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which pods are deleted, by force, because nobody else will. A pod that was deleted by force
 * already and is finished, so that only finalizers hold it, is none of them.
 *
 * <ol>
 *   <li>It is terminating and bound to no node: there is no agent that would confirm its end.
 *   <li>It is terminating on a node that is not ready and out of service, and does not tolerate
 *       that: {@link #isOutOfService}.
 *   <li>It is bound to a node that no longer exists; finding that out takes a while and a look at
 *       the server.
 *   <li>It is finished, and there are too many finished pods: {@link #finishedBeyond}.
 * </ol>
 */
public final class PodGarbage {
  /** Evicted ones first, so that controllers keep what they count; then the oldest. */
  private static final Comparator<CollectablePod> FIRST_TO_GO =
      Comparator.comparing(CollectablePod::evicted)
          .reversed()
          .thenComparing(CollectablePod::created)
          .thenComparing(pod -> pod.name().name())
          .thenComparing(pod -> pod.name().namespace());

  /** Why a pod is collected; the word is the one that upstream's metrics have. */
  public enum Reason {
    FINISHED("terminated"),
    OUT_OF_SERVICE("out-of-service"),
    ORPHANED("orphaned"),
    UNSCHEDULED("unscheduled");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  private PodGarbage() {}

  /** Whether a pod is terminating and bound to no node. */
  public static boolean isUnscheduled(CollectablePod pod) {
    return pod.terminating() && pod.nodeName().isEmpty() && !pod.isBeyondHelp();
  }

  /** Whether a pod whose node no longer exists is still to be deleted. */
  public static boolean isOrphan(CollectablePod pod) {
    return !pod.isBeyondHelp();
  }

  /**
   * The taints by which a node is out of service: those of the key {@value
   * WellKnownTaints#OUT_OF_SERVICE} with the effect NoExecute or NoSchedule. A node that is ready
   * has none that counts, whatever somebody has put on it.
   */
  public static List<Taint> outOfService(NodeView node) {
    return node.ready()
        ? List.of()
        : node.taints().stream().filter(PodGarbage::saysOutOfService).toList();
  }

  private static boolean saysOutOfService(Taint taint) {
    return taint.key().equals(WellKnownTaints.OUT_OF_SERVICE)
        && (taint.effect() == TaintEffect.NO_EXECUTE || taint.effect() == TaintEffect.NO_SCHEDULE);
  }

  /**
   * Whether a pod goes by force because its node is out of service: it is terminating, and there is
   * one of these taints that it does not tolerate, or no longer.
   *
   * <p>A pod that is not terminating stays. With NoExecute, taint eviction has it terminate at
   * once; with NoSchedule it does when the node's own not-ready or unreachable taint evicts it, or
   * when somebody deletes it. Upstream does not ask whether the pod tolerates the taint; the
   * documentation says that it does.
   *
   * @param taints {@link #outOfService} of its node
   */
  public static boolean isOutOfService(
      CollectablePod pod, List<Taint> taints, TolerationRules rules, Instant now) {
    if (taints.isEmpty() || !pod.terminating() || pod.isBeyondHelp()) {
      return false;
    }
    return taints.stream().anyMatch(taint -> !tolerates(pod, taint, rules, now));
  }

  private static boolean tolerates(
      CollectablePod pod, Taint taint, TolerationRules rules, Instant now) {
    if (taint.effect() == TaintEffect.NO_SCHEDULE) {
      return rules.tolerates(pod.readTolerations(), taint);
    }
    // Whatever comes to a node that is out of service does not run there, and gets no time for it.
    Instant arrived = Instant.MIN;
    Taint counted = taint.addedAt(CountdownStart.ofTaint(taint, now));
    return switch (EvictionTime.of(pod.readTolerations(), arrived, List.of(counted), rules, now)) {
      case EvictionTime.Never _ -> true;
      case EvictionTime.At(Instant time, Taint _) -> time.isAfter(now);
      case EvictionTime.Immediately _ -> false;
    };
  }

  /**
   * The finished pods beyond a number, in the order in which they are deleted.
   *
   * @param most how many may stay; zero or less keeps all
   */
  public static List<CollectablePod> finishedBeyond(Collection<CollectablePod> finished, int most) {
    if (most <= 0 || finished.size() <= most) {
      return List.of();
    }
    List<CollectablePod> ordered = new ArrayList<>(finished);
    ordered.sort(FIRST_TO_GO);
    return ordered.subList(0, ordered.size() - most).stream()
        .filter(pod -> !pod.isBeyondHelp())
        .toList();
  }
}
