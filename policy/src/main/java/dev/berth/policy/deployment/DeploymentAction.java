package dev.berth.policy.deployment;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;

/** Something to be done about a deployment's sets. */
public sealed interface DeploymentAction extends Action {

  /**
   * A set is created, under the name it has.
   *
   * @param size how many pods it is to have
   */
  record Create(JsonObject set, long size) implements DeploymentAction {
    @Override
    public String reason() {
      return "create replica set " + Metadata.of(set).name() + " for the template";
    }
  }

  /**
   * A set is written as it is to be.
   *
   * @param from how many pods it was to have
   * @param to how many it is to have
   */
  record Change(JsonObject set, long from, long to) implements DeploymentAction {
    @Override
    public String reason() {
      String name = Metadata.of(set).name();
      return from == to
          ? "update the annotations of replica set " + name
          : "scale replica set " + name + " from " + from + " to " + to;
    }
  }

  /** A set that is no longer needed for its history is deleted. */
  record Delete(JsonObject set) implements DeploymentAction {
    @Override
    public String reason() {
      return "delete replica set " + Metadata.of(set).name() + ", beyond the history limit";
    }
  }
}
