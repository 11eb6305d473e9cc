package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.ObjectName;
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

  static boolean answers(Resource resource) {
    return resource.toString().equals("bindings");
  }

  /** A binding at the path of its pod. */
  void bind(Call call) {
    Subresource subresource = call.resource().subresource(Subresource.BINDING).orElseThrow();
    JsonObject binding =
        Registry.placedIn(
            call.resource(), call.name(), RequestBodies.object(call, subresource.kind()));
    if (!Metadata.of(binding).name().equals(call.name().name())) {
      throw Failures.badRequest("name in URL does not match name in Binding object");
    }
    bind(call, call.name(), binding);
  }

  /** A binding at the path of bindings, where the pod has the binding's name. */
  void bindNamed(Call call) {
    JsonObject binding = RequestBodies.object(call, call.resource().kind());
    ObjectName name = new ObjectName(call.namespace(), Metadata.of(binding).name());
    bind(call, name, Registry.placedIn(call.resource(), name, binding));
  }

  private void bind(Call call, ObjectName name, JsonObject binding) {
    JsonObject target = binding.object("target");
    String node = target.text("name", "");
    String kind = target.text("kind", "");
    if (node.isEmpty()) {
      throw invalid(FieldError.required("target.name", ""));
    }
    if (!kind.isEmpty() && !kind.equals("Node")) {
      throw invalid(FieldError.notSupported("target.kind", kind, List.of("Node", "<empty>")));
    }
    // As upstream, binding says nothing of who owns the fields.
    Registry.checkReadable(name.name());
    WriteOptions options =
        RequestOptions.of(call, RequestOptions.CREATE).untracked().subresource(Subresource.BINDING);
    Resource pods = registry.catalog().get("", "v1", "pods");
    registry.modify(pods, name, options, pod -> bound(pods, pod, node, Metadata.of(binding)));
    Status success = new Status(201, "", "", null);
    call.respond(201, success.toTree().with("code", 201L));
  }

  private JsonObject bound(Resource resource, JsonObject pod, String node, Metadata binding) {
    String uid = binding.uid();
    Metadata metadata = Metadata.of(pod);
    String name = metadata.name();
    var pods = resource.groupResource();
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

  /** Upstream does not say of which kind a binding is, and takes the mistake for its own. */
  private static RuntimeException invalid(FieldError error) {
    return Failures.unknown(error.toString());
  }
}
