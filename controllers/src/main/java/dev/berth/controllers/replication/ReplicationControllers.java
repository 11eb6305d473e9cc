package dev.berth.controllers.replication;

import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.replicaset.ReplicaKind;
import dev.berth.controllers.replicaset.ReplicaSets;

/** Replication controllers: the older kind of replica sets, looked after in the same way. */
public final class ReplicationControllers {
  /** The service account under which it works. */
  public static final String ACCOUNT = "replication-controller";

  private ReplicationControllers() {}

  public static Controller start(ControllerParts parts) {
    return ReplicaSets.start(parts, ReplicaKind.REPLICATION_CONTROLLER);
  }
}
