package dev.berth.policy.job;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;

/** Something to be done about a job that has finished. */
public sealed interface TtlAction extends Action {

  /** It is deleted, and with it its pods. */
  record Delete(JsonObject job) implements TtlAction {
    @Override
    public String reason() {
      return "delete job " + Metadata.of(job).name() + ", whose time to live is over";
    }
  }
}
