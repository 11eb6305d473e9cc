package dev.berth.policy.taint;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * When a pod has to leave its node because of the node's NoExecute taints.
 *
 * <ol>
 *   <li>A pod that is finished or already on its way out is left alone.
 *   <li>A taint that no toleration matches: at once.
 *   <li>A taint that is matched: it sets a deadline, its own {@code timeAdded} or the pod's arrival
 *       on the node, whichever is later, plus the smallest {@code tolerationSeconds} among all the
 *       tolerations that match it. A matching toleration without seconds sets no bound, but does
 *       not lift another's; if none has seconds, the taint is tolerated for ever. Zero seconds and
 *       less mean at once.
 *   <li>Of several taints, the earliest deadline decides; among equal ones, the node's first taint.
 * </ol>
 *
 * <p>Upstream differs in two ways. It looks only at the first toleration that matches a taint, so
 * that the order of a pod's tolerations decides; and it counts from when the controller came to see
 * the taint, so that a restart begins the countdown again. Here the result is a function of what is
 * stored, and the same after every restart, but for the fraction of a second that is not stored:
 * see {@link CountdownStart}.
 *
 * <p>That needs a {@code timeAdded}. A taint without one counts as added {@code now}, so that
 * asking again later moves its deadline. Whoever acts on the answer must therefore give the taint a
 * time first: the API server does so for every NoExecute taint (see {@link TaintTimes}), and a
 * controller that works with another server uses {@link Taint#addedAt} with the time it first saw
 * the taint.
 */
public sealed interface EvictionTime {

  /** The pod stays as long as its tolerations and the node's taints stay as they are. */
  record Never() implements EvictionTime {}

  /**
   * The pod leaves when its toleration of a taint runs out. That may have been in the past, if
   * nobody was there to act on it.
   */
  record At(Instant time, Taint taint) implements EvictionTime {}

  /** The pod leaves now, because of a taint that it does not tolerate, not for a second. */
  record Immediately(Taint taint) implements EvictionTime {}

  /**
   * More seconds than this, 292 years, count as for ever. It is as far as the 64-bit nanoseconds of
   * other implementations reach; they turn greater numbers into negative ones.
   */
  long FOR_EVER_SECONDS = Long.MAX_VALUE / 1_000_000_000L;

  /**
   * Decides.
   *
   * @param arrived when the pod came to its node
   */
  static EvictionTime of(
      PodTree pod, Instant arrived, List<Taint> taints, TolerationRules rules, Instant now) {
    return taints.isEmpty() || pod.phase().finished() || pod.terminating()
        ? new Never()
        : of(Toleration.list(pod.tolerations()), arrived, taints, rules, now);
  }

  /** The same for a pod that is neither finished nor on its way out. */
  static EvictionTime of(
      List<Toleration> tolerations,
      Instant arrived,
      List<Taint> taints,
      TolerationRules rules,
      Instant now) {
    At earliest = null;
    for (Taint taint : taints) {
      if (taint.effect() != TaintEffect.NO_EXECUTE) {
        continue;
      }
      if (!rules.tolerates(tolerations, taint)) {
        return new Immediately(taint);
      }
      OptionalLong seconds = smallestSeconds(tolerations, taint, rules);
      if (seconds.isPresent() && seconds.getAsLong() <= 0) {
        return new Immediately(taint);
      }
      if (seconds.isPresent()) {
        Instant added = taint.timeAdded() == null ? now : taint.timeAdded();
        Instant from = added.isAfter(arrived) ? added : arrived;
        Instant deadline = from.plusSeconds(seconds.getAsLong());
        if (earliest == null || deadline.isBefore(earliest.time)) {
          earliest = new At(deadline, taint);
        }
      }
    }
    return earliest == null ? new Never() : earliest;
  }

  private static OptionalLong smallestSeconds(
      List<Toleration> tolerations, Taint taint, TolerationRules rules) {
    long smallest = Long.MAX_VALUE;
    for (Toleration toleration : tolerations) {
      if (toleration.tolerationSeconds() != null && rules.tolerates(toleration, taint)) {
        smallest = Math.min(smallest, toleration.tolerationSeconds());
      }
    }
    return smallest > FOR_EVER_SECONDS ? OptionalLong.empty() : OptionalLong.of(smallest);
  }
}
