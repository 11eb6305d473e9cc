package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TaintTimes;
import dev.berth.policy.taint.TaintValidation;
import java.time.Instant;
import java.util.List;

/** Nodes: their taints carry times, and the rest of their specification hardly changes. */
final class NodeRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");

  /** Where upstream says that taints stand, though they stand elsewhere. */
  private static final FieldPath TAINTS = FieldPath.of("metadata", "taints");

  @Override
  public JsonObject defaults(JsonObject node) {
    JsonObject status = node.object("status");
    JsonObject spec = FieldRules.within(node, "spec", NodeRanges::defaults);
    return status.has("capacity") && !status.has("allocatable")
        ? spec.with("status", status.with("allocatable", status.object("capacity")))
        : spec;
  }

  @Override
  public JsonObject prepareForCreate(JsonObject node, Instant now) {
    JsonObject status = node.object("status");
    JsonObject kept = status.has("config") ? node.with("status", status.without("config")) : node;
    return stamped(withoutConfig(kept), JsonArray.EMPTY, now);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject node, JsonObject old, Instant now) {
    JsonObject kept = old.object("spec").has("configSource") ? node : withoutConfig(node);
    return stamped(kept, old.object("spec").array("taints"), now);
  }

  /** Nodes are not configured by the server any more; who asks for it is not heard. */
  private static JsonObject withoutConfig(JsonObject node) {
    JsonObject spec = node.object("spec");
    return spec.has("configSource") ? node.with("spec", spec.without("configSource")) : node;
  }

  private static JsonObject stamped(JsonObject node, JsonArray before, Instant now) {
    JsonArray taints = node.object("spec").array("taints");
    return taints.isEmpty()
        ? node
        : FieldRules.within(
            node, "spec", s -> s.with("taints", TaintTimes.stamp(before, taints, now)));
  }

  @Override
  public List<FieldError> validate(JsonObject node) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = node.object("spec");
    problems.addAll(TaintValidation.validate(spec.array("taints"), TAINTS));
    NodeStatusValidation.resources(node.object("status"), problems);
    NodeStatusValidation.swap(node.object("status"), problems);
    NodeStatusValidation.features(node.object("status"), problems);
    problems.addAll(NodeRanges.validate(spec));
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject node, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = node.object("spec");
    JsonObject before = old.object("spec");
    NodeStatusValidation.resources(node.object("status"), problems);
    NodeStatusValidation.features(node.object("status"), problems);
    NodeStatusValidation.addresses(node.object("status"), problems);
    NodeRanges.validateUpdate(spec, before, problems);
    String provider = before.text("providerID", "");
    if (!provider.isEmpty() && !provider.equals(spec.text("providerID", ""))) {
      problems.forbidden(
          SPEC.field("providerID"),
          "node updates may not change providerID except from \"\" to valid");
    }
    problems.addAll(TaintValidation.validate(spec.array("taints"), TAINTS));
    if (!spec.text("externalID", "").equals(before.text("externalID", ""))) {
      problems.forbidden(SPEC.field("externalID"), "may not be updated");
    }
    return problems.all();
  }

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject node, JsonObject old) {
    JsonObject changed = ResourceRules.super.throughSubresource(subresource, node, old);
    JsonObject status = changed.object("status");
    return status.has("config") && !old.object("status").has("config")
        ? changed.with("status", status.without("config"))
        : changed;
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject node, JsonObject old) {
    return validateUpdate(node, old);
  }
}
