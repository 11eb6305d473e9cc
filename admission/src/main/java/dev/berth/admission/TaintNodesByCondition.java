package dev.berth.admission;

import dev.berth.model.core.Taint;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.NodeTaints;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;

/** A new node is tainted as not ready, so that nothing is put on it before it says that it is. */
public final class TaintNodesByCondition implements AdmissionPlugin {
  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!request.creates() || !request.writesCore("nodes")) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    JsonArray taints = spec.array("taints");
    boolean has =
        taints.objects().stream()
            .anyMatch(taint -> Taint.read(taint).sameKeyAndEffect(NodeTaints.NEW_NODE));
    return has
        ? request.object()
        : request
            .object()
            .with("spec", spec.with("taints", taints.append(NodeTaints.NEW_NODE.toTree())));
  }
}
