package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.patch.JsonPatch;
import dev.berth.registry.patch.MergePatch;
import dev.berth.registry.patch.PatchException;
import dev.berth.registry.patch.StrategicMergePatch;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Answers patches. A patch is applied to the current object, and applied again if another write
 * came first.
 */
final class PatchEndpoint {
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  private static final String APPLY = "application/apply-patch+yaml";

  private static final Set<String> TYPES = Set.of(JSON_PATCH, MERGE_PATCH, STRATEGIC, APPLY);

  private final Registry registry;
  private final StrategicMergePatch strategic = new StrategicMergePatch(Schemas.builtIn());

  PatchEndpoint(Registry registry) {
    this.registry = registry;
  }

  void patch(Call call) {
    String type = RequestBodies.mediaType(call.exchange());
    if (call.local() == null && !TYPES.contains(type)) {
      throw Failures.unsupportedPatchType();
    }
    Rendering rendering = Rendering.ofOne(call, registry.now());
    WriteOptions options = RequestOptions.ofPatch(call, isApply(call));
    if (isApply(call)) {
      apply(call, rendering, options);
      return;
    }
    UnaryOperator<JsonObject> change = change(call, call.resource().kind());
    Resource resource = call.resource();
    Stored patched =
        registry.modify(
            resource,
            call.name(),
            options,
            old -> {
              JsonObject changed = patched(change, old);
              JsonObject shaped = RequestBodies.shaped(call, changed, old, resource.kind());
              checkName(call, changed, shaped);
              return shaped;
            });
    call.respond(200, rendering, patched);
  }

  /** A patch does not rename what it changes; without a version, Kubernetes finds no name in it. */
  private static void checkName(Call call, JsonObject changed, JsonObject shaped) {
    Registry.checkName(changed.has("apiVersion") ? shaped : JsonObject.EMPTY, call.name());
  }

  /** A configuration is YAML by its type, and mostly the JSON that YAML includes. */
  private void apply(Call call, Rendering rendering, WriteOptions options) {
    Resource resource = call.resource();
    JsonObject configuration = configuration(call, resource.kind());
    try {
      Registry.AppliedTo applied =
          registry.apply(
              resource,
              call.name(),
              new Registry.Applied(
                  named(call, configuration), call.query().flag("force"), options));
      call.respond(applied.created() ? 201 : 200, rendering, applied.object());
    } catch (PatchException e) {
      throw refused(e);
    } catch (JsonException e) {
      throw refused(PatchException.unprocessable(String.valueOf(e.getMessage())));
    }
  }

  static boolean isApply(Call call) {
    return RequestBodies.mediaType(call.exchange()).equals(APPLY);
  }

  /** The configuration that is applied, of a kind. */
  static JsonObject configuration(Call call, GroupVersionKind kind) {
    Document sent = document(call, true);
    if (!(sent.value() instanceof JsonObject configuration)) {
      throw Failures.badRequest("error decoding patch: a configuration is an object");
    }
    JsonObject shaped = RequestBodies.applied(call, sent, kind);
    boolean named =
        configuration.get("metadata") instanceof JsonObject metadata
            && metadata.get("name") != null;
    if (named && Metadata.of(shaped).name().isEmpty()) {
      Registry.checkName(JsonObject.EMPTY, call.name());
    }
    return shaped;
  }

  /** The path names the object, whether the configuration does or not. */
  private static JsonObject named(Call call, JsonObject configuration) {
    String own = Metadata.of(configuration).name();
    if (!own.isEmpty() && !own.equals(call.name().name())) {
      throw Failures.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(own, call.name().name()));
    }
    return Metadata.update(configuration, metadata -> metadata.with("name", call.name().name()));
  }

  private static Document document(Call call, boolean yaml) {
    Document sent = sentDocument(call, yaml);
    call.sent(sent.value());
    return sent;
  }

  private static Document sentDocument(Call call, boolean yaml) {
    if (call.local() != null) {
      return new Document(call.local().sent(), List.of());
    }
    byte[] bytes = RequestBodies.bytes(call.exchange());
    try {
      return yaml ? Document.yaml(bytes) : Document.json(bytes);
    } catch (JsonException | YamlException e) {
      throw Failures.badRequest("error decoding patch: " + e.getMessage());
    }
  }

  /** What a patch does to an object of a kind. */
  UnaryOperator<JsonObject> change(Call call, GroupVersionKind kind) {
    String type = RequestBodies.mediaType(call.exchange());
    Document document = document(call, false);
    Object patch = document.value();
    RequestBodies.report(call, call.resource().kind(), document.problems());
    boolean custom = call.resource().custom().isPresent() && kind.equals(call.resource().kind());
    if (custom && type.equals(STRATEGIC)) {
      throw Failures.unsupportedMediaType(List.of(JSON_PATCH, MERGE_PATCH, APPLY));
    }
    return switch (type) {
      case JSON_PATCH -> {
        JsonPatch operations = parsed(patch);
        yield old -> applied(operations, old);
      }
      case MERGE_PATCH -> old -> MergePatch.apply(old, patch);
      case STRATEGIC -> {
        var schema = Schemas.builtIn().kind(kind).orElseThrow();
        yield old -> strategic.apply(schema, old, patch);
      }
      default -> throw Failures.unsupportedPatchType();
    };
  }

  /** Kubernetes does not say why an operation fails. */
  private static JsonObject applied(JsonPatch operations, JsonObject old) {
    try {
      return operations.apply(old);
    } catch (PatchException e) {
      throw e.kind() == PatchException.Kind.UNPROCESSABLE ? Failures.unprocessable() : refused(e);
    }
  }

  private static JsonPatch parsed(Object patch) {
    try {
      return JsonPatch.parse(patch);
    } catch (PatchException e) {
      throw refused(e);
    }
  }

  /** A patch takes the revision that it does not name from the object, and so insists on it. */
  private static JsonObject patched(UnaryOperator<JsonObject> change, JsonObject old) {
    try {
      return change.apply(old);
    } catch (PatchException e) {
      throw refused(e);
    } catch (JsonException e) {
      throw refused(PatchException.unprocessable(String.valueOf(e.getMessage())));
    }
  }

  static StatusException refused(PatchException e) {
    String message = e.getMessage() == null ? "" : e.getMessage();
    return switch (e.kind()) {
      case BAD_REQUEST -> Failures.badRequest(message);
      case UNPROCESSABLE ->
          new StatusException(new Status(422, "Invalid", message, Status.Details.EMPTY));
      case FAILED -> new StatusException(new Status(500, "", message, Status.Details.EMPTY));
      case TOO_LARGE ->
          new StatusException(
              new Status(413, "RequestEntityTooLarge", message, Status.Details.EMPTY));
    };
  }
}
