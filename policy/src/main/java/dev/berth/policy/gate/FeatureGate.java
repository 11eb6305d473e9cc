package dev.berth.policy.gate;

import java.util.Optional;

/**
 * The feature gates that Berth knows. Upstream has long removed most of them, whose behaviour it no
 * longer lets anybody turn off; here those of the control plane can still be, as older documents
 * say. Those of node agents are known, so that a line of flags may be used for all components.
 */
public enum FeatureGate {
  GRACEFUL_NODE_SHUTDOWN("GracefulNodeShutdown", Stage.STABLE, true, Does.NODE_AGENTS),
  GRACEFUL_NODE_SHUTDOWN_BASED_ON_POD_PRIORITY(
      "GracefulNodeShutdownBasedOnPodPriority", Stage.STABLE, true, Does.NODE_AGENTS),
  NODE_OUT_OF_SERVICE_VOLUME_DETACH(
      "NodeOutOfServiceVolumeDetach",
      Stage.STABLE,
      true,
      "pods and volumes leave nodes that are tainted out-of-service by force"),
  NODE_SWAP("NodeSwap", Stage.STABLE, true, Does.NODE_AGENTS),
  SCHEDULE_DAEMON_SET_PODS(
      "ScheduleDaemonSetPods",
      Stage.STABLE,
      true,
      "the scheduler binds DaemonSet pods; off, their controller does"),
  TAINT_BASED_EVICTIONS(
      "TaintBasedEvictions",
      Stage.STABLE,
      true,
      "lost nodes get NoExecute taints; off, their pods are evicted after --pod-eviction-timeout"),
  TAINT_NODES_BY_CONDITION(
      "TaintNodesByCondition",
      Stage.STABLE,
      true,
      "problems of nodes become NoSchedule taints; off, the scheduler looks at conditions"),
  TAINT_TOLERATION_COMPARISON_OPERATORS(
      "TaintTolerationComparisonOperators", Stage.ALPHA, false, "tolerations may say Gt and Lt"),
  TOPOLOGY_MANAGER("TopologyManager", Stage.STABLE, true, Does.NODE_AGENTS);

  /** How far a feature has come: {@code AllAlpha} is about the alpha ones. */
  enum Stage {
    ALPHA,
    STABLE
  }

  private static final class Does {
    static final String NODE_AGENTS = "for node agents; does nothing in the control plane";
  }

  private final String word;
  private final Stage stage;
  private final boolean onByDefault;
  private final String does;

  FeatureGate(String word, Stage stage, boolean onByDefault, String does) {
    this.word = word;
    this.stage = stage;
    this.onByDefault = onByDefault;
    this.does = does;
  }

  /** What it does here, for people. */
  public String does() {
    return does;
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
