package dev.berth.policy.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.policy.pod.QosClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The tolerations that every new pod is given.
 *
 * <ul>
 *   <li>NoExecute for {@code not-ready} and {@code unreachable}, for five minutes unless a flag
 *       says otherwise, unless the pod has its own. A toleration is the pod's own when it is about
 *       that key, or every key, and about NoExecute, or every effect. Its operator and value are
 *       not looked at: who writes {@code Equal} with some value has spoken about the taint, and is
 *       not corrected. The legacy keys count as the keys they stand for.
 *   <li>NoSchedule for {@code memory-pressure}, unless the pod is BestEffort: a pod that requests
 *       something is taken to cope. A pod that tolerates that taint anyway gets nothing more.
 * </ul>
 *
 * @param notReady how long {@code not-ready} is tolerated
 * @param unreachable how long {@code unreachable} is tolerated
 */
public record DefaultTolerations(Duration notReady, Duration unreachable) {
  public static final DefaultTolerations FIVE_MINUTES =
      new DefaultTolerations(Duration.ofMinutes(5), Duration.ofMinutes(5));

  private static final Toleration MEMORY_PRESSURE =
      Toleration.exists(WellKnownTaints.MEMORY_PRESSURE, TaintEffect.NO_SCHEDULE);

  /** The tolerations to add to those a pod came with, in the order to add them. */
  public List<Toleration> missingFrom(List<Toleration> own, QosClass qosClass) {
    List<Toleration> missing = new ArrayList<>();
    addUnlessOwn(missing, own, WellKnownTaints.NOT_READY, notReady);
    addUnlessOwn(missing, own, WellKnownTaints.UNREACHABLE, unreachable);
    if (qosClass != QosClass.BEST_EFFORT && !tolerateMemoryPressure(own)) {
      missing.add(MEMORY_PRESSURE);
    }
    return List.copyOf(missing);
  }

  private static void addUnlessOwn(
      List<Toleration> missing, List<Toleration> own, String key, Duration time) {
    boolean hasOwn =
        own.stream()
            .anyMatch(t ->
                TolerationRules.isAbout(t, key)
                    && TolerationRules.effectFits(t, TaintEffect.NO_EXECUTE));
    if (!hasOwn) {
      missing.add(Toleration.exists(key, TaintEffect.NO_EXECUTE).seconds(time.toSeconds()));
    }
  }

  private static boolean tolerateMemoryPressure(List<Toleration> own) {
    return TolerationRules.STANDARD.tolerates(
        own, Taint.of(MEMORY_PRESSURE.key(), TaintEffect.NO_SCHEDULE));
  }
}
