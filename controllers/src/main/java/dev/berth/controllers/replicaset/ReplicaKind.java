package dev.berth.controllers.replicaset;

import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/** The kinds of objects that keep a number of like pods. */
public enum ReplicaKind {
  REPLICA_SET("replicaset-controller", "replicaset"),
  REPLICATION_CONTROLLER("replication-controller", "replicationmanager");

  private final String component;
  private final String queue;

  ReplicaKind(String component, String queue) {
    this.component = component;
    this.queue = queue;
  }

  ObjectKind objects() {
    return switch (this) {
      case REPLICA_SET -> new ObjectKind(Resources.REPLICA_SETS, "ReplicaSet");
      case REPLICATION_CONTROLLER ->
          new ObjectKind(Resources.REPLICATION_CONTROLLERS, "ReplicationController");
    };
  }

  /** Who reports its events, and the name of its loop. */
  String component() {
    return component;
  }

  /** The name of its work queue. */
  String queue() {
    return queue;
  }

  /** Which pods it is about. */
  Optional<LabelSelector> selector(JsonObject set) {
    return switch (this) {
      case REPLICA_SET -> OwnershipRules.BY_SELECTOR.selector(set);
      case REPLICATION_CONTROLLER -> {
        JsonObject labels = set.object("spec").object("selector");
        yield Optional.of(
            labels.isEmpty() ? LabelSelector.NOTHING : LabelSelector.ofLabels(labels));
      }
    };
  }
}
