package dev.berth.agent.node;

import dev.berth.agent.runtime.Image;
import dev.berth.model.core.Condition;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceCapacity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What other parts of the agent know that the node's status says. For any thread; may block, but
 * for {@link #pressures}.
 */
public interface NodeSources {

  /** A node that runs nothing yet. */
  NodeSources NONE = new NodeSources() {};

  /** Such as {@code process://0.1.0}. */
  default String runtimeVersion() {
    return "process://Unknown";
  }

  /** The images on this machine, the largest first. */
  default List<Image> images() {
    return List.of();
  }

  /** Why the node is not ready; empty if it is. */
  default List<String> problems() {
    return List.of();
  }

  /** The conditions that are reported as True because something is scarce. */
  default Set<String> pressures() {
    return Set.of();
  }

  /**
   * What the condition NetworkUnavailable says; empty if others write it.
   *
   * @param shown the conditions that the server shows
   */
  default Optional<Condition> network(List<Condition> shown) {
    return Optional.empty();
  }

  /** Whether the node is being shut down. Does not block. */
  default boolean isShuttingDown() {
    return false;
  }

  /** The attachable volumes that are mounted here or about to be; empty while that is not known. */
  default Optional<List<String>> volumesInUse() {
    return Optional.empty();
  }

  /** The server shows these volumes as in use, so that they may be relied on to stay attached. */
  default void reportedInUse(List<String> volumes) {}

  /** What device plugins have. */
  default DeviceCapacity devices() {
    return DeviceCapacity.NONE;
  }

  /** The port that the agent serves at; empty for the one of the settings. */
  default OptionalInt port() {
    return OptionalInt.empty();
  }

  /** What the runtime's handlers can do, as {@code status.runtimeHandlers} shows it. */
  default JsonArray runtimeHandlers() {
    return JsonArray.EMPTY;
  }

  /** What the runtime can do, as {@code status.features} shows it. */
  default JsonObject features() {
    return JsonObject.EMPTY;
  }
}
