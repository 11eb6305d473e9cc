package dev.berth.policy.replicaset;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;
import java.util.List;

/** What is to be done about the pods of a set. */
public sealed interface ReplicaAction extends Action {

  /** Some are missing. */
  record Create(long count, JsonObject pod) implements ReplicaAction {
    @Override
    public String reason() {
      return "create " + count + " pods that are missing";
    }
  }

  /** Some are too many. */
  record Delete(List<JsonObject> pods) implements ReplicaAction {
    public Delete {
      pods = List.copyOf(pods);
    }

    @Override
    public String reason() {
      return "delete " + pods.size() + " pods that are too many";
    }
  }
}
