package dev.berth.sim.record;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.TaintEffect;
import java.util.Set;
import java.util.stream.Stream;

/** How a node is; of several that apply, the last in this order. */
public enum NodeState {
  READY(0, "ready"),
  CORDONED(1, "cordoned"),
  /** It has a NoExecute taint that is not about its health. */
  TAINTED(2, "tainted NoExecute"),
  PRESSURE(3, "under pressure"),
  NOT_READY(4, "not ready"),
  UNREACHABLE(5, "unreachable"),
  GONE(6, "gone");

  private static final Set<String> PRESSURES =
      Set.of("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable");

  private final int code;
  private final String words;

  NodeState(int code, String words) {
    this.code = code;
    this.words = words;
  }

  /** What stands for it in a series, and its place among the names of a report. */
  public int code() {
    return code;
  }

  static NodeState ofCode(long code) {
    return Stream.of(values()).filter(state -> state.code == code).findFirst().orElseThrow();
  }

  public String words() {
    return words;
  }

  static NodeState of(NodeView node) {
    ConditionStatus ready =
        node.condition(Condition.READY).map(Condition::status).orElse(ConditionStatus.FALSE);
    if (ready != ConditionStatus.TRUE) {
      return ready == ConditionStatus.UNKNOWN ? UNREACHABLE : NOT_READY;
    }
    boolean pressed =
        node.conditions().stream()
            .anyMatch(c -> PRESSURES.contains(c.type()) && c.status() == ConditionStatus.TRUE);
    if (pressed) {
      return PRESSURE;
    }
    boolean tainted =
        node.taints().stream().anyMatch(taint -> taint.effect() == TaintEffect.NO_EXECUTE);
    if (tainted) {
      return TAINTED;
    }
    return node.unschedulable() ? CORDONED : READY;
  }

  /** Whether the node lifecycle controller takes it for lost or unwell. */
  public boolean isUnhealthy() {
    return this == NOT_READY || this == UNREACHABLE;
  }
}
