package dev.berth.policy.nodestatus;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
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

  /** Which machine a node is. */
  public record Machine(String machineId, String systemUuid) {
    static Machine of(JsonObject node) {
      JsonObject info = node.object("status").object("nodeInfo");
      return new Machine(info.text("machineID", ""), info.text("systemUUID", ""));
    }

    boolean isKnown() {
      return !machineId.isEmpty() || !systemUuid.isEmpty();
    }
  }

  /**
   * Why a machine may not be a node; empty if it may.
   *
   * @param node that is registered under its name
   * @param lease of that node; empty if there is none
   */
  public static Optional<String> refusal(
      JsonObject node, Machine own, JsonObject lease, Instant now) {
    Machine registered = Machine.of(node);
    if (!registered.isKnown() || registered.equals(own) || !isFresh(lease, now)) {
      return Optional.empty();
    }
    String name = node.object("metadata").text("name", "");
    return Optional.of(
        "the node \"%s\" is alive on another machine (machine id %s, this one is %s): choose another"
            .formatted(name, registered.machineId(), own.machineId())
            + " name for this machine with --hostname-override, or stop the other one; its lease was"
            + " renewed at "
            + lease.object("spec").text("renewTime", ""));
  }

  private static boolean isFresh(JsonObject lease, Instant now) {
    JsonObject spec = lease.object("spec");
    String renewed = spec.text("renewTime", "");
    if (renewed.isEmpty()) {
      return false;
    }
    try {
      Duration validity = Duration.ofSeconds(spec.integer("leaseDurationSeconds").orElse(0));
      return now.isBefore(Times.parseMicro(renewed).plus(validity));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
