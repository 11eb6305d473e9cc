package dev.berth.controllers.replication;

import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.replicaset.ReplicaKind;
import dev.berth.controllers.replicaset.ReplicaSetController;

/** Replication controllers: the older kind of replica sets, looked after in the same way. */
public final class ReplicationManager {
  /** The service account under which it works. */
  public static final String ACCOUNT = "replication-controller";

  private ReplicationManager() {}

  public static Controller start(ControllerParts parts) {
    return ReplicaSetController.start(parts, ReplicaKind.REPLICATION_CONTROLLER);
  }
}
