package dev.berth.policy.nodestatus;

import dev.berth.model.meta.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a machine may be the node that is registered under its name.
 *
 * <ul>
 *   <li>It may if the node is its own: the same machine id and hardware, whether it was started
 *       anew or not.
 *   <li>It may if nobody is that node: no machine has reported itself, or its lease has run out.
 *   <li>Else another machine lives under the name, and two that take turns would end each other's
 *       pods.
 * </ul>
 */
public final class NodeTakeover {
  private NodeTakeover() {}

  /** Which machine it is. */
  public record Machine(String machineId, String systemUuid) {
    boolean isKnown() {
      return !machineId.isEmpty() || !systemUuid.isEmpty();
    }
  }

  /**
   * A node that is registered.
   *
   * @param renewed when its lease was renewed last; empty if that is not known
   * @param validity for how long that counts
   */
  public record Registered(
      String name, Machine machine, Optional<Instant> renewed, Duration validity) {
    boolean isAlive(Instant now) {
      return renewed.filter(at -> now.isBefore(at.plus(validity))).isPresent();
    }
  }

  /** Why a machine may not be a node; empty if it may. */
  public static Optional<String> refusal(Registered node, Machine own, Instant now) {
    if (!node.machine().isKnown() || node.machine().equals(own) || !node.isAlive(now)) {
      return Optional.empty();
    }
    return Optional.of(
        "the node \"%s\" is alive on another machine (machine id %s, this one is %s): choose another"
                .formatted(node.name(), node.machine().machineId(), own.machineId())
            + " name for this machine with --hostname-override, or stop the other one; its lease was"
            + " renewed at "
            + node.renewed().map(Times::format).orElse("an unknown time"));
  }
}
