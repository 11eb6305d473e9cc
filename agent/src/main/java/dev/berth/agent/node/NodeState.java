package dev.berth.agent.node;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** This node as its pods see it. For any thread; nothing blocks. */
public interface NodeState {

  String name();

  /** The node as the server shows it; empty until it has been read. */
  Optional<JsonObject> node();

  /**
   * Whether that is known to be no older than what the server tells of pods: not from the moment
   * that its watch fails until it has been read again.
   */
  default boolean isCurrent() {
    return true;
  }

  /** Its own addresses, the one of the preferred family first. */
  List<String> addresses();

  /**
   * The conditions under which no new pods are admitted unless they tolerate it: {@code
   * MemoryPressure}, {@code DiskPressure}, {@code PIDPressure}.
   */
  Set<String> pressures();

  /** Whether it goes away: no pod is admitted, whatever it tolerates, and nothing is started. */
  default boolean isShuttingDown() {
    return false;
  }
}
