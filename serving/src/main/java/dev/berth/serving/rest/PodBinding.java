package dev.berth.serving.rest;

import dev.berth.kinds.resource.Subresource;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import java.util.List;

/**
 * Answers bindings, by which a scheduler assigns a pod to a node, once. The binding's annotations
 * and labels become the pod's, in place of those of the same keys; a nomination has served its
 * purpose and is cleared.
 */
final class PodBinding {
  private final Registry registry;

  PodBinding(Registry registry) {
    this.registry = registry;
  }

  void bind(Call call) {
    Subresource subresource = call.resource().subresource("binding").orElseThrow();
    JsonObject binding = RequestBodies.object(call, subresource.kind());
    JsonObject target = binding.object("target");
    String node = target.text("name", "");
    String kind = target.text("kind", "");
    if (node.isEmpty()) {
      throw invalid(call, FieldError.required("target.name", ""));
    }
    if (!kind.isEmpty() && !kind.equals("Node")) {
      throw invalid(call, FieldError.notSupported("target.kind", kind, List.of("Node", "<empty>")));
    }
    // As upstream, binding says nothing of who owns the fields.
    WriteOptions options = ObjectEndpoint.writeOptions(call).untracked();
    registry.modify(
        call.resource(), call.name(), options, pod -> bound(call, pod, node, Metadata.of(binding)));
    Status success = new Status(201, "", "", null);
    call.respond(201, success.toTree().with("code", 201L));
  }

  private JsonObject bound(Call call, JsonObject pod, String node, Metadata binding) {
    String uid = binding.uid();
    Metadata metadata = Metadata.of(pod);
    String name = metadata.name();
    var pods = call.resource().groupResource();
    if (!uid.isEmpty() && !uid.equals(metadata.uid())) {
      throw Failures.conflict(
          pods,
          name,
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, metadata.uid()));
    }
    if (metadata.isBeingDeleted()) {
      throw Failures.conflict(
          pods, name, "pod %s is being deleted, cannot be assigned to a host".formatted(name));
    }
    JsonObject spec = pod.object("spec");
    String already = spec.text("nodeName", "");
    if (!already.isEmpty()) {
      throw Failures.conflict(
          pods, name, "pod %s is already assigned to node \"%s\"".formatted(name, already));
    }
    if (!spec.array("schedulingGates").isEmpty()) {
      throw Failures.conflict(
          pods, name, "pod %s has non-empty .spec.schedulingGates".formatted(name));
    }
    JsonObject status = pod.object("status");
    JsonObject scheduled =
        new JsonObject.Builder().put("type", "PodScheduled").put("status", Conditions.TRUE).build();
    return merged(merged(pod, "annotations", binding), "labels", binding)
        .with("spec", spec.with("nodeName", node))
        .with(
            "status",
            status
                .without("nominatedNodeName")
                .with(
                    "conditions",
                    Conditions.set(status.array("conditions"), scheduled, registry.now())));
  }

  /** The pod with the binding's entries of a map of its metadata, in place of its own. */
  private static JsonObject merged(JsonObject pod, String field, Metadata binding) {
    JsonObject entries = binding.tree().object(field);
    JsonObject metadata = pod.object("metadata");
    JsonObject merged = metadata.object(field);
    for (int i = 0; i < entries.size(); i++) {
      merged = merged.with(entries.name(i), entries.value(i));
    }
    return entries.isEmpty() ? pod : pod.with("metadata", metadata.with(field, merged));
  }

  private static RuntimeException invalid(Call call, FieldError error) {
    return Failures.invalid(new GroupKind("", "Binding"), call.name().name(), List.of(error));
  }
}
