package dev.berth.agent.node;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.nodestatus.NodeTakeover.Machine;
import dev.berth.policy.nodestatus.NodeTakeover.Registered;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads which machine a node is, and whether that lives. */
final class RegisteredNode {
  /** The annotation with the data directory of the agent. */
  static final String DIRECTORY = "berth.dev/agent-directory";

  private RegisteredNode() {}

  /** A machine that has just registered has no lease yet, and lives. */
  private static final Duration UNTIL_FIRST_LEASE = Duration.ofSeconds(40);

  /**
   * @param lease of the node; empty if there is none
   */
  static Registered read(JsonObject node, JsonObject lease) {
    JsonObject info = node.object("status").object("nodeInfo");
    Metadata metadata = Metadata.of(node);
    Machine machine =
        new Machine(
            info.text("machineID", ""),
            info.text("systemUUID", ""),
            metadata.annotations().text(DIRECTORY, ""));
    if (lease.isEmpty()) {
      return new Registered(
          metadata.name(), machine, metadata.creationTimestamp(), UNTIL_FIRST_LEASE);
    }
    JsonObject spec = lease.object("spec");
    return new Registered(
        metadata.name(),
        machine,
        time(spec.text("renewTime", "")),
        Duration.ofSeconds(spec.integer("leaseDurationSeconds").orElse(0)));
  }

  private static Optional<Instant> time(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Times.parseMicro(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
