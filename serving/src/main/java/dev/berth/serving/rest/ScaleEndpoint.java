package dev.berth.serving.rest;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.CustomKind;
import dev.berth.kinds.resource.MetadataValidation;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.patch.PatchException;
import dev.berth.registry.status.Failures;
import dev.berth.serving.request.Representation;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * How many pods a workload is to have, as an object of its own that is the same for all kinds of
 * workloads: read from the workload, and written back into it.
 */
final class ScaleEndpoint {
  static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");

  private static final GroupKind KIND = new GroupKind("autoscaling", "Scale");

  private static final List<Column> COLUMNS =
      List.of(
          Column.NAME,
          Column.number("Desired", "How many pods are wanted.", Cells.number("spec.replicas")),
          Column.number("Available", "How many pods there are.", Cells.number("status.replicas")),
          Column.AGE);

  private final Registry registry;
  private final PatchEndpoint patches;

  ScaleEndpoint(Registry registry, PatchEndpoint patches) {
    this.registry = registry;
    this.patches = patches;
  }

  void answer(String verb, Call call) {
    JsonObject workload =
        switch (verb) {
          case "get" -> registry.get(call.resource(), call.name()).tree();
          case "update" -> {
            JsonObject sent = RequestBodies.object(call, SCALE);
            Registry.checkName(sent, call.name());
            JsonObject placed = Registry.placedIn(call.resource(), call.name(), sent);
            yield write(call, _ -> placed);
          }
          default -> {
            if (PatchEndpoint.isApply(call)) {
              yield applied(call);
            }
            PatchEndpoint.Change change = patches.change(call, SCALE);
            yield write(
                call,
                scale ->
                    RequestBodies.shaped(
                        call, patched(change.made(), scale), JsonObject.EMPTY, SCALE, change));
          }
        };
    call.respond(200, shown(call, scale(call.resource(), workload)));
  }

  private JsonObject shown(Call call, JsonObject scale) {
    if (call.local() != null) {
      return scale;
    }
    Representation form = call.representation();
    return switch (form.form()) {
      case OBJECTS -> scale;
      case METADATA -> Table.partial(scale, form.apiVersion());
      case TABLE ->
          new Table(COLUMNS, form.apiVersion(), Rendering.include(call, form), registry.now())
              .of(
                  List.of(scale),
                  JsonObject.of("resourceVersion", Metadata.of(scale).resourceVersion()),
                  true);
    };
  }

  private static JsonObject patched(UnaryOperator<JsonObject> change, JsonObject scale) {
    try {
      return change.apply(scale);
    } catch (PatchException e) {
      throw PatchEndpoint.refused(e);
    }
  }

  /** Applies a scale: to the workload, of which its manager then owns how many there are to be. */
  private JsonObject applied(Call call) {
    WriteOptions options = RequestOptions.ofPatch(call, true).subresource("scale");
    JsonObject scale = PatchEndpoint.configuration(call, SCALE);
    if (!Metadata.of(scale).name().isEmpty()) {
      Registry.checkName(scale, call.name());
    }
    check(call, scale, registry.get(call.resource(), call.name()).tree());
    GroupVersionKind kind = call.resource().kind();
    JsonObject metadata =
        new JsonObject.Builder()
            .put("apiVersion", kind.apiVersion())
            .put("kind", kind.kind())
            .put("metadata", JsonObject.of("name", call.name().name()))
            .build();
    OptionalLong replicas = scale.object("spec").integer("replicas");
    JsonObject configuration =
        replicas.isPresent()
            ? withReplicas(call.resource(), metadata, replicas.getAsLong())
            : metadata;
    Registry.Applied applied =
        new Registry.Applied(configuration, call.query().flag("force"), options);
    try {
      return registry.apply(call.resource(), call.name(), applied).object().tree();
    } catch (PatchException e) {
      throw PatchEndpoint.refused(e);
    }
  }

  private JsonObject write(Call call, UnaryOperator<JsonObject> change) {
    WriteOptions options = RequestOptions.of(call, RequestOptions.UPDATE).subresource("scale");
    return registry
        .modify(
            call.resource(),
            call.name(),
            options,
            workload -> {
              JsonObject wanted = change.apply(scale(call.resource(), workload));
              check(call, wanted, workload);
              long replicas = wanted.object("spec").integer("replicas").orElse(0);
              return withReplicas(call.resource(), workload, replicas);
            })
        .tree();
  }

  private static JsonObject withReplicas(Resource resource, JsonObject workload, long replicas) {
    return resource
        .custom()
        .flatMap(CustomKind::scale)
        .map(paths -> CustomScale.withReplicas(workload, paths, replicas))
        .orElseGet(() -> workload.with("spec", workload.object("spec").with("replicas", replicas)));
  }

  private static void check(Call call, JsonObject wanted, JsonObject workload) {
    Metadata asked = Metadata.of(wanted);
    Metadata found = Metadata.of(workload);
    String revision = asked.resourceVersion();
    if (!revision.isEmpty() && !revision.equals("0") && !revision.equals(found.resourceVersion())) {
      throw Failures.modified(call.resource().groupResource(), found.name());
    }
    if (!asked.uid().isEmpty() && !asked.uid().equals(found.uid())) {
      throw Failures.conflict(
          call.resource().groupResource(),
          found.name(),
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(asked.uid(), found.uid()));
    }
    List<FieldError> errors =
        new ArrayList<>(MetadataValidation.validate(call.resource(), placed(call, wanted)));
    long replicas = wanted.object("spec").integer("replicas").orElse(0);
    if (replicas < 0) {
      errors.add(
          FieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"));
    }
    if (!errors.isEmpty()) {
      throw Failures.invalid(KIND, found.name(), errors);
    }
  }

  /** What is applied names neither itself nor its namespace, which the path does. */
  private static JsonObject placed(Call call, JsonObject scale) {
    return Metadata.update(
        Registry.placedIn(call.resource(), call.name(), scale),
        metadata -> metadata.with("name", call.name().name()));
  }

  private static JsonObject scale(Resource resource, JsonObject workload) {
    return resource
        .custom()
        .flatMap(CustomKind::scale)
        .map(paths -> CustomScale.scale(workload, paths))
        .orElseGet(() -> scale(workload));
  }

  /** The scale of a workload. */
  static JsonObject scale(JsonObject workload) {
    JsonObject spec = workload.object("spec");
    JsonObject.Builder status =
        new JsonObject.Builder()
            .put("replicas", workload.object("status").integer("replicas").orElse(0));
    String selector = selector(spec);
    if (!selector.isEmpty()) {
      status.put("selector", selector);
    }
    return scale(workload, spec.integer("replicas").orElse(0), status.build());
  }

  /** A scale with what it has of its workload's metadata. */
  static JsonObject scale(JsonObject workload, long replicas, JsonObject status) {
    JsonObject own = workload.object("metadata");
    JsonObject.Builder metadata = new JsonObject.Builder();
    for (String field :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      metadata.putIfPresent(field, own.get(field));
    }
    return new JsonObject.Builder()
        .put("kind", SCALE.kind())
        .put("apiVersion", SCALE.apiVersion())
        .put("metadata", metadata.build())
        .put("spec", replicas == 0 ? JsonObject.EMPTY : JsonObject.of("replicas", replicas))
        .put("status", status)
        .build();
  }

  /** A replication controller selects by labels alone; all others by a selector. */
  private static String selector(JsonObject spec) {
    JsonObject selector = spec.object("selector");
    boolean labels = !selector.has("matchLabels") && !selector.has("matchExpressions");
    try {
      return (labels ? LabelSelector.ofLabels(selector) : LabelSelector.fromTree(selector))
          .toString();
    } catch (SelectorException e) {
      return "";
    }
  }
}
