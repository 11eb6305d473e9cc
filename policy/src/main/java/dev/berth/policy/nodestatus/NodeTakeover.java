package dev.berth.policy.nodestatus;

import dev.berth.model.meta.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether an agent may be the node that is registered under its name.
 *
 * <ul>
 *   <li>It may if the node is its own: the same machine id and hardware, whether it was started
 *       anew or not, and the same data directory, unless the node does not say which it has, as
 *       other kubelets' nodes do not.
 *   <li>It may if nobody is that node: no machine has reported itself, or its lease has run out.
 *   <li>Else another agent lives under the name, and two that take turns would end each other's
 *       pods.
 * </ul>
 */
public final class NodeTakeover {
  private NodeTakeover() {}

  /**
   * Which agent on which machine it is.
   *
   * @param directory where the agent keeps its data; empty if that is not known
   */
  public record Machine(String machineId, String systemUuid, String directory) {
    boolean isKnown() {
      return !machineId.isEmpty() || !systemUuid.isEmpty();
    }

    boolean isSameMachine(Machine other) {
      return machineId.equals(other.machineId) && systemUuid.equals(other.systemUuid);
    }

    boolean mayBe(Machine other) {
      boolean sharesDirectory = directory.isEmpty() || directory.equals(other.directory);
      return isSameMachine(other) && sharesDirectory;
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
    if (!node.machine().isKnown() || node.machine().mayBe(own) || !node.isAlive(now)) {
      return Optional.empty();
    }
    return Optional.of(
        "the node \"%s\" is alive %s: choose another name for this %s with --hostname-override, or"
                .formatted(
                    node.name(),
                    where(node.machine(), own),
                    node.machine().isSameMachine(own) ? "agent" : "machine")
            + " stop the other one; its lease was renewed at "
            + node.renewed().map(Times::format).orElse("an unknown time"));
  }

  private static String where(Machine node, Machine own) {
    return node.isSameMachine(own)
        ? "on this machine already (with the data directory %s, this agent has %s)"
            .formatted(node.directory(), own.directory())
        : "on another machine (machine id %s, this one is %s)"
            .formatted(node.machineId(), own.machineId());
  }
}
