package dev.berth.policy.taint;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.policy.pod.QosClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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

  private static final Taint MEMORY_PRESSURE =
      Taint.of(WellKnownTaints.MEMORY_PRESSURE, TaintEffect.NO_SCHEDULE);

  /** What pods get that request something. */
  public static final Toleration OF_MEMORY_PRESSURE =
      Toleration.exists(MEMORY_PRESSURE.key(), TaintEffect.NO_SCHEDULE);

  /** The tolerations of node problems to add to those a pod came with. */
  public List<Toleration> missingFrom(List<Toleration> own) {
    List<Toleration> missing = new ArrayList<>();
    addUnlessOwn(missing, own, WellKnownTaints.NOT_READY, notReady);
    addUnlessOwn(missing, own, WellKnownTaints.UNREACHABLE, unreachable);
    return List.copyOf(missing);
  }

  /**
   * The toleration of memory pressure, if a pod of this class is to have it and does not.
   *
   * @param qosClass asked for only where that decides
   */
  public static Optional<Toleration> memoryPressure(
      List<Toleration> own, Supplier<QosClass> qosClass) {
    return TolerationRules.STANDARD.tolerates(own, MEMORY_PRESSURE)
            || qosClass.get() == QosClass.BEST_EFFORT
        ? Optional.empty()
        : Optional.of(OF_MEMORY_PRESSURE);
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
}
