package dev.berth.policy.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node's taints as one pod sees them: taints act as a filter, and what the pod does not tolerate
 * takes effect.
 *
 * <ul>
 *   <li>A NoSchedule or a NoExecute taint remains: the pod is not scheduled there.
 *   <li>Only PreferNoSchedule taints remain: the node is avoided while another one fits.
 *   <li>A NoExecute taint remains: a pod that runs there is evicted.
 * </ul>
 *
 * @param taints the taints that are not tolerated, in the node's order
 */
public record RemainingTaints(List<Taint> taints) {

  public RemainingTaints {
    taints = List.copyOf(taints);
  }

  public static RemainingTaints of(
      List<Taint> taints, List<Toleration> tolerations, TolerationRules rules) {
    List<Taint> remaining = new ArrayList<>();
    for (Taint taint : taints) {
      if (taint.effect() != TaintEffect.UNKNOWN && !rules.tolerates(tolerations, taint)) {
        remaining.add(taint);
      }
    }
    return new RemainingTaints(remaining);
  }

  /** The first taint that keeps the pod from being scheduled there. */
  public Optional<Taint> refusal() {
    return taints.stream().filter(t -> t.effect() != TaintEffect.PREFER_NO_SCHEDULE).findFirst();
  }

  /** The first taint for which a running pod is evicted. */
  public Optional<Taint> evictor() {
    return withEffect(TaintEffect.NO_EXECUTE).stream().findFirst();
  }

  /** How many taints speak against the node without forbidding it; fewer is better. */
  public int avoidance() {
    return withEffect(TaintEffect.PREFER_NO_SCHEDULE).size();
  }

  public List<Taint> withEffect(TaintEffect effect) {
    return taints.stream().filter(t -> t.effect() == effect).toList();
  }
}
