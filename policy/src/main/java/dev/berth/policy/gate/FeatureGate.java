package dev.berth.policy.gate;

import java.util.Optional;

/**
 * The feature gates that Berth knows. Upstream has long removed three of them, whose behaviour it
 * no longer lets anybody turn off; here they can still be, as older documents say.
 */
public enum FeatureGate {
  /** DaemonSet pods are bound by the scheduler; by their controller if this is off. */
  SCHEDULE_DAEMON_SET_PODS("ScheduleDaemonSetPods", Stage.STABLE, true),
  /** Lost nodes get NoExecute taints. */
  TAINT_BASED_EVICTIONS("TaintBasedEvictions", Stage.STABLE, true),
  /** Problems of nodes become NoSchedule taints. */
  TAINT_NODES_BY_CONDITION("TaintNodesByCondition", Stage.STABLE, true),
  /** Tolerations may say {@code Gt} and {@code Lt}. */
  TAINT_TOLERATION_COMPARISON_OPERATORS("TaintTolerationComparisonOperators", Stage.ALPHA, false);

  /** How far a feature has come: {@code AllAlpha} is about the alpha ones. */
  enum Stage {
    ALPHA,
    STABLE
  }

  private final String word;
  private final Stage stage;
  private final boolean onByDefault;

  FeatureGate(String word, Stage stage, boolean onByDefault) {
    this.word = word;
    this.stage = stage;
    this.onByDefault = onByDefault;
  }

  /** As flags say it. */
  public String word() {
    return word;
  }

  public boolean onByDefault() {
    return onByDefault;
  }

  boolean isAlpha() {
    return stage == Stage.ALPHA;
  }

  static Optional<FeatureGate> of(String word) {
    for (FeatureGate gate : values()) {
      if (gate.word.equals(word)) {
        return Optional.of(gate);
      }
    }
    return Optional.empty();
  }
}
