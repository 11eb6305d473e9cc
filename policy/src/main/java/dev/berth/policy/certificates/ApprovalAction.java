package dev.berth.policy.certificates;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;

/** Something to be done about a request that nobody has decided about. */
public sealed interface ApprovalAction extends Action {

  /**
   * It is approved.
   *
   * @param request with its condition
   */
  record Approve(JsonObject request) implements ApprovalAction {
    @Override
    public String reason() {
      return "approve certificate signing request " + Metadata.of(request).name();
    }
  }
}
