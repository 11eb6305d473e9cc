package dev.berth.policy.deployment;

import dev.berth.model.tree.JsonObject;

/** Something to be done about a deployment's sets. */
public sealed interface DeploymentAction {

  /** A set is created, under the name it has. */
  record Create(JsonObject set) implements DeploymentAction {}

  /**
   * A set is written as it is to be.
   *
   * @param from how many pods it was to have
   * @param to how many it is to have
   */
  record Change(JsonObject set, long from, long to) implements DeploymentAction {}

  /** A set that is no longer needed for its history is deleted. */
  record Delete(JsonObject set) implements DeploymentAction {}
}
