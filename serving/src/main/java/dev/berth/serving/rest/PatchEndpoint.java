package dev.berth.serving.rest;

import dev.berth.kinds.resource.GoDecoding;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.GoJsonSyntax;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
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
  private static final List<String> CUSTOM_TYPES = List.of(JSON_PATCH, MERGE_PATCH, APPLY);

  private final Registry registry;
  private final CreatePermission creation;
  private final StrategicMergePatch strategic = new StrategicMergePatch(Schemas.builtIn());

  PatchEndpoint(Registry registry, CreatePermission creation) {
    this.registry = registry;
    this.creation = creation;
  }

  void patch(Call call) {
    checkType(call);
    Rendering rendering = Rendering.ofOne(call, registry.now());
    WriteOptions options = RequestOptions.ofPatch(call, isApply(call));
    if (isApply(call)) {
      apply(call, rendering, options);
      return;
    }
    Change change = change(call, call.resource().kind());
    Resource resource = call.resource();
    Stored patched =
        registry.modify(
            resource,
            call.name(),
            options,
            old -> {
              JsonObject changed = patched(change.made(), old);
              // Without a version, Kubernetes finds no name in it.
              if (!changed.has("apiVersion")) {
                Registry.checkName(JsonObject.EMPTY, call.name());
              }
              JsonObject shaped = RequestBodies.shaped(call, changed, old, resource.kind(), change);
              JsonObject placed = Registry.placedIn(resource, call.name(), shaped);
              Registry.checkName(placed, call.name());
              return placed;
            });
    call.respond(200, rendering, patched);
  }

  /** Custom resources, and their scales, cannot be merged by schemas, and are refused elsewhere. */
  private static void checkType(Call call) {
    String type = RequestBodies.mediaType(call.exchange());
    boolean isLocal = call.local() != null;
    if (call.resource().custom().isPresent()) {
      if (isLocal ? type.equals(STRATEGIC) : !CUSTOM_TYPES.contains(type)) {
        throw Failures.unsupportedMediaType(CUSTOM_TYPES);
      }
    } else if (!isLocal && !TYPES.contains(type)) {
      throw Failures.unsupportedPatchType();
    }
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
                  configuration, call.query().flag("force"), options, () -> creation.check(call)));
      call.respond(applied.created() ? 201 : 200, rendering, applied.object());
    } catch (PatchException e) {
      throw refused(e);
    } catch (JsonException e) {
      throw unreadable(call, configuration, String.valueOf(e.getMessage()));
    }
  }

  /** Found out once it is known that nobody else keeps it from being applied. */
  private static StatusException unreadable(Call call, JsonObject configuration, String why) {
    GroupVersionKind kind = call.resource().kind();
    String what =
        "%s, Kind=%s"
            .formatted(
                kind.group().isEmpty() ? "/" + kind.version() : kind.apiVersion(), kind.kind());
    String message =
        "failed to convert new object (%s/%s; %s) to proper version: unable to convert unstructured object to %s: %s"
            .formatted(
                Metadata.of(configuration).namespace(),
                call.name().name(),
                what,
                what,
                why.substring(why.indexOf(": ") + 2));
    return Failures.unknown(message);
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

  private static Document document(Call call, boolean yaml) {
    Document sent = sentDocument(call, yaml);
    call.sent(sent.value());
    return sent;
  }

  private static Document sentDocument(Call call, boolean yaml) {
    if (call.local() != null) {
      return Document.of(call.local().sent());
    }
    byte[] bytes = RequestBodies.bytes(call.exchange());
    try {
      return yaml ? Document.yaml(bytes) : Document.json(bytes);
    } catch (JsonException e) {
      String why = GoJsonSyntax.problem(bytes).orElse(String.valueOf(e.getMessage()));
      throw Failures.badRequest("error decoding patch: " + why);
    } catch (YamlException e) {
      throw Failures.badRequest("error decoding patch: " + e.getMessage());
    }
  }

  /**
   * What a patch does to an object.
   *
   * @param sent the patch
   * @param type its media type
   */
  record Change(UnaryOperator<JsonObject> made, Document sent, String type) {

    /** What its client hears of it, given the fields of its result that nobody knows. */
    Oddities oddities(List<String> unknown) {
      return sent.patchOddities(unknown, type.equals(JSON_PATCH));
    }

    /** Whether schemas say how it is merged, and what is read of the result. */
    boolean isMergedBySchema() {
      return type.equals(STRATEGIC);
    }

    /** What an error shows: a patch that was merged by its schema, or else what came of it. */
    String shown(JsonObject result) {
      return isMergedBySchema() ? GoText.of(sent.value()) : JsonWriter.toText(result);
    }
  }

  /** What a patch does to an object of a kind. */
  Change change(Call call, GroupVersionKind kind) {
    checkType(call);
    String type = RequestBodies.mediaType(call.exchange());
    Document document = document(call, false);
    Object patch = document.value();
    UnaryOperator<JsonObject> made =
        switch (type) {
          case JSON_PATCH -> {
            expect(patch instanceof JsonArray, patch, "[]handlers.jsonPatchOp");
            JsonPatch operations = parsed(patch);
            yield old -> applied(operations, old);
          }
          case MERGE_PATCH -> {
            expect(patch instanceof JsonObject, patch, "map[string]interface {}");
            yield old -> MergePatch.apply(old, patch);
          }
          case STRATEGIC -> {
            var schema = Schemas.builtIn().kind(kind).orElseThrow();
            yield old -> strategic.apply(schema, old, patch);
          }
          default -> throw Failures.unsupportedPatchType();
        };
    return new Change(made, document, type);
  }

  private static void expect(boolean fits, Object patch, String goType) {
    if (!fits) {
      throw Failures.badRequest("error decoding patch: " + GoDecoding.notOf(patch, goType));
    }
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
      case FAILED -> Failures.unknown(message);
      case TOO_LARGE ->
          new StatusException(
              new Status(413, "RequestEntityTooLarge", message, Status.Details.EMPTY));
    };
  }
}
