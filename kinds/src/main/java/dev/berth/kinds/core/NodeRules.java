package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TaintTimes;
import dev.berth.policy.taint.TaintValidation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Nodes: their taints carry times, and the rest of their specification hardly changes. */
final class NodeRules implements ResourceRules {
  private static final FieldPath TAINTS = FieldPath.of("spec", "taints");

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
    return stamped(node, JsonArray.EMPTY, now);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject node, JsonObject old, Instant now) {
    return stamped(node, old.object("spec").array("taints"), now);
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
    List<FieldError> errors = new ArrayList<>(validateReplacing(node, node));
    errors.addAll(NodeRanges.validate(node.object("spec")));
    return errors;
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject node, JsonObject old) {
    JsonObject spec = node.object("spec");
    List<FieldError> errors =
        new ArrayList<>(TaintValidation.validate(spec.array("taints"), TAINTS));
    if (!spec.array("podCIDRs").equals(old.object("spec").array("podCIDRs"))) {
      errors.addAll(NodeRanges.validate(spec));
    }
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject node, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject spec = node.object("spec");
    JsonObject before = old.object("spec");
    setOnce("podCIDR", spec, before, errors);
    setOnce("podCIDRs", spec, before, errors);
    setOnce("providerID", spec, before, errors);
    JsonObject rest =
        spec.without("taints")
            .without("unschedulable")
            .without("podCIDR")
            .without("podCIDRs")
            .without("providerID");
    JsonObject restBefore =
        before
            .without("taints")
            .without("unschedulable")
            .without("podCIDR")
            .without("podCIDRs")
            .without("providerID");
    if (!rest.equals(restBefore)) {
      errors.add(
          FieldError.forbidden("spec", "node updates may only change labels, taints, or capacity"));
    }
    return errors;
  }

  private static void setOnce(
      String field, JsonObject spec, JsonObject before, List<FieldError> errors) {
    Object old = before.get(field);
    if (old != null && !old.equals("") && !old.equals(spec.get(field))) {
      errors.add(
          FieldError.forbidden(
              "spec." + field,
              "node updates may not change %s except from \"\" to valid".formatted(field)));
    }
  }
}
