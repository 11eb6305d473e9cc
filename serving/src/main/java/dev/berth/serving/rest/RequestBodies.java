package dev.berth.serving.rest;

import dev.berth.http.BodyTooLargeException;
import dev.berth.http.Exchange;
import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.CustomKind;
import dev.berth.kinds.resource.FieldValidation;
import dev.berth.kinds.resource.GoDecoding;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.local.LocalExchange;
import dev.berth.serving.wire.WireFormat;
import dev.berth.wire.Envelope;
import dev.berth.wire.Protobuf;
import dev.berth.wire.WireException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads what clients send, in whichever format, as objects in the shape that their schema says. */
final class RequestBodies {
  private static final GroupVersionKind DELETE_OPTIONS =
      new GroupVersionKind("", "v1", "DeleteOptions");

  private static final List<WireFormat> FORMATS = List.of(WireFormat.values());

  private RequestBodies() {}

  /** The body's bytes, whatever they are. */
  static byte[] bytes(Exchange exchange) {
    int limit = JsonLimits.REQUEST.maxBytes();
    try {
      return exchange.body(limit);
    } catch (BodyTooLargeException e) {
      throw Failures.requestTooLarge(limit);
    }
  }

  /** The media type of the body, without parameters; empty if the client does not say. */
  static String mediaType(Exchange exchange) {
    String type = exchange.header("Content-Type").orElse("");
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }

  /**
   * The object in the body, which must be of a kind. Whoever is about to change something has the
   * client's wishes for the answer checked here too.
   */
  static JsonObject object(Call call, GroupVersionKind kind) {
    JsonObject object = sentObject(call, kind);
    call.sent(object);
    return object;
  }

  private static JsonObject sentObject(Call call, GroupVersionKind kind) {
    if (call.local() != null) {
      return shaped(call, sentObject(call.local(), kind), kind);
    }
    WireFormat format = format(call, kind);
    var _ = call.representation();
    byte[] bytes = bytes(call.exchange());
    JsonObject object =
        format == WireFormat.PROTOBUF
            ? shaped(call, message(bytes, kind), kind)
            : shaped(call, read(format, bytes, kind), kind);
    if (bytes.length > StoredEncoding.MOST_BYTES) {
      checkSize(object);
    }
    return object;
  }

  /** Refuses early what would be too large in the end, with all that is added to it. */
  private static void checkSize(JsonObject object) {
    long least = StoredEncoding.leastBytes(object);
    if (least > StoredEncoding.MOST_BYTES) {
      throw Failures.objectTooLarge(least, StoredEncoding.MOST_BYTES);
    }
  }

  private static JsonObject sentObject(LocalExchange local, GroupVersionKind kind) {
    try {
      return Document.of(local.sent()).object();
    } catch (JsonException e) {
      throw DecodeFailures.unreadable(kind, String.valueOf(e.getMessage()));
    }
  }

  /** The options in the body of a deletion; empty if there is none. */
  static JsonObject deleteOptions(Call call) {
    JsonObject options = sentOptions(call);
    call.sent(options);
    return options;
  }

  private static JsonObject sentOptions(Call call) {
    if (call.local() != null) {
      return sentObject(call.local(), DELETE_OPTIONS);
    }
    WireFormat format = format(call, DELETE_OPTIONS);
    var _ = call.representation();
    byte[] bytes = bytes(call.exchange());
    if (bytes.length == 0) {
      return JsonObject.EMPTY;
    }
    JsonObject options =
        format == WireFormat.PROTOBUF
            ? options(bytes)
            : read(format, bytes, DELETE_OPTIONS).object();
    DecodeFailures.checkOptions(options, DELETE_OPTIONS);
    return options;
  }

  private static JsonObject options(byte[] bytes) {
    Envelope envelope = envelope(bytes, DELETE_OPTIONS);
    return envelope.kind().isEmpty() || envelope.kind().equals(DELETE_OPTIONS.kind())
        ? content(envelope, DELETE_OPTIONS)
        : JsonObject.of("kind", envelope.kind()).with("apiVersion", envelope.apiVersion());
  }

  private static WireFormat format(Call call, GroupVersionKind kind) {
    String type = mediaType(call.exchange());
    for (WireFormat known : FORMATS) {
      if (known.mediaType().equals(type) && (known != WireFormat.PROTOBUF || Protobuf.has(kind))) {
        return known;
      }
    }
    if (!type.isEmpty()) {
      throw Failures.unsupportedMediaType(WireFormat.mediaTypes());
    }
    return WireFormat.JSON;
  }

  private static JsonObject message(byte[] bytes, GroupVersionKind kind) {
    Envelope envelope = envelope(bytes, kind);
    DecodeFailures.checkKind(envelope.kind(), envelope.apiVersion(), kind);
    return content(envelope, kind);
  }

  private static Envelope envelope(byte[] bytes, GroupVersionKind kind) {
    try {
      return Envelope.read(bytes);
    } catch (WireException e) {
      throw DecodeFailures.unrecognized(kind, String.valueOf(e.getMessage()), bytes);
    }
  }

  private static JsonObject content(Envelope envelope, GroupVersionKind kind) {
    try {
      return envelope.object(kind);
    } catch (WireException | JsonException e) {
      throw DecodeFailures.unreadable(kind, String.valueOf(e.getMessage()));
    }
  }

  private static Document read(WireFormat format, byte[] bytes, GroupVersionKind kind) {
    Document document;
    try {
      document = format == WireFormat.YAML ? Document.yaml(bytes) : Document.json(bytes);
    } catch (JsonException e) {
      String why = String.valueOf(e.getMessage());
      throw format == WireFormat.JSON
          ? DecodeFailures.noJson(kind, why, bytes)
          : DecodeFailures.unreadable(kind, why);
    } catch (YamlException e) {
      throw DecodeFailures.unreadable(kind, String.valueOf(e.getMessage()));
    }
    if (document.value() instanceof JsonNull && Schemas.builtIn().kind(kind).isPresent()) {
      // What Go reads from it is an object that says nothing.
      return Document.of(JsonObject.EMPTY);
    }
    if (!(document.value() instanceof JsonObject object)) {
      throw DecodeFailures.noObject(kind, document.value(), bytes);
    }
    DecodeFailures.untypedProblem(object)
        .ifPresent(why -> {
          throw DecodeFailures.unrecognized(kind, why, bytes);
        });
    return document;
  }

  /**
   * The object of a document in its shape; see {@link #shaped(Call, JsonObject, GroupVersionKind)}.
   */
  static JsonObject shaped(Call call, Document document, GroupVersionKind kind) {
    return shaped(call, document.object(), kind, document::oddities, shaping(JsonObject.EMPTY));
  }

  /**
   * An object in its shape. Fields that the schema does not know are dropped, and the client is
   * told, as it wishes: with a warning, with an error, or not at all.
   */
  static JsonObject shaped(Call call, JsonObject object, GroupVersionKind kind) {
    return shaped(
        call, object, kind, (unknown, _) -> Oddities.ofUnknown(unknown), shaping(JsonObject.EMPTY));
  }

  /** The same of an object that a patch made of a stored one. */
  static JsonObject shaped(
      Call call,
      JsonObject patched,
      JsonObject old,
      GroupVersionKind kind,
      PatchEndpoint.Change change) {
    checkPatchedKind(patched, kind, change);
    Conforming.Result result;
    try {
      result = shaping(old).shape(patched, kind, custom(call, kind));
    } catch (JsonException e) {
      throw badPatch(
          change.shown(patched),
          change.isMergedBySchema()
              ? String.valueOf(e.getMessage())
              : problem(call, patched, kind, e));
    }
    Oddities oddities = change.oddities(result.unknownFields());
    if (!oddities.isEmpty() && fieldValidation(call) == FieldValidation.STRICT) {
      throw badPatch(change.shown(patched), oddities.error());
    }
    report(call, kind, oddities);
    return result.object();
  }

  /** A patch that is merged by the schema leaves the kind to the path. */
  private static void checkPatchedKind(
      JsonObject patched, GroupVersionKind kind, PatchEndpoint.Change change) {
    if (!change.isMergedBySchema()) {
      DecodeFailures.untypedProblem(patched)
          .or(() -> DecodeFailures.otherKind(patched, kind))
          .ifPresent(why -> {
            throw badPatch(change.shown(patched), why);
          });
    }
    DecodeFailures.checkKind(patched, kind);
  }

  /** What keeps an object from being read: in Go's words, or else in ours. */
  private static String problem(
      Call call, JsonObject object, GroupVersionKind kind, JsonException ours) {
    Optional<String> go =
        custom(call, kind).isPresent()
            ? GoDecoding.metadataProblem(object)
            : GoDecoding.problem(object, kind);
    return go.orElse(String.valueOf(ours.getMessage()));
  }

  private static StatusException badPatch(String shown, String why) {
    return Failures.invalid(
        new GroupKind("", ""), "", List.of(FieldError.invalid("patch", shown, why)));
  }

  /** An applied configuration, in the shape that its schema says. */
  static JsonObject applied(Call call, Document document, GroupVersionKind kind) {
    JsonObject sent = document.object();
    Conforming.Result result = shape(call, sent, kind, shapingApplied());
    Oddities twice = document.oddities(List.of(), false);
    if (!twice.isEmpty() && fieldValidation(call) == FieldValidation.STRICT) {
      throw Failures.badRequest(
          "error strict decoding YAML: error converting YAML to JSON: " + twice.yamlError());
    }
    report(call, kind, twice);
    if (!result.unknownFields().isEmpty()) {
      throw undeclared(sent, kind, result.unknownFields());
    }
    return result.object();
  }

  /** Who applies a field wants to own it, and nobody can own one that is not there. */
  private static StatusException undeclared(
      JsonObject object, GroupVersionKind kind, List<String> fields) {
    Metadata metadata = Metadata.of(object);
    List<String> problems =
        fields.stream().map(field -> "." + field + ": field not declared in schema").toList();
    return Failures.badRequest(
        "failed to create typed patch object (%s/%s; %s, Kind=%s): %s"
            .formatted(
                metadata.namespace(),
                metadata.name(),
                kind.group().isEmpty() ? "/" + kind.version() : kind.apiVersion(),
                kind.kind(),
                problems.size() == 1
                    ? problems.getFirst()
                    : "errors:\n  " + String.join("\n  ", problems)));
  }

  /** Brings an object into the shape that its schema says. */
  private interface Shaping {
    Conforming.Result shape(JsonObject object, GroupVersionKind kind, Optional<CustomKind> custom);

    /** Why that failed, for the client. */
    default String problem(
        Call call, JsonObject object, GroupVersionKind kind, JsonException ours) {
      return RequestBodies.problem(call, object, kind, ours);
    }
  }

  private static Shaping shaping(JsonObject known) {
    return (object, kind, custom) ->
        custom.isPresent()
            ? custom.get().shape(object, false)
            : Conforming.shape(object, known, kind, Schemas.builtIn());
  }

  /** Kubernetes does not decode what is applied, and has no words of Go's for it. */
  private static Shaping shapingApplied() {
    return new Shaping() {
      @Override
      public Conforming.Result shape(
          JsonObject object, GroupVersionKind kind, Optional<CustomKind> custom) {
        return custom.isPresent()
            ? custom.get().shape(object, true)
            : Conforming.shapeApplied(object, kind, Schemas.builtIn());
      }

      @Override
      public String problem(
          Call call, JsonObject object, GroupVersionKind kind, JsonException ours) {
        return String.valueOf(ours.getMessage());
      }
    };
  }

  /** Tells what is odd about a document with unknown fields. */
  private interface OdditiesOf {
    Oddities of(List<String> unknown, boolean custom);
  }

  private static JsonObject shaped(
      Call call, JsonObject object, GroupVersionKind kind, OdditiesOf all, Shaping shaping) {
    Conforming.Result result = shape(call, object, kind, shaping);
    report(call, kind, all.of(result.unknownFields(), custom(call, kind).isPresent()));
    return result.object();
  }

  private static Optional<CustomKind> custom(Call call, GroupVersionKind kind) {
    return kind.equals(call.resource().kind()) ? call.resource().custom() : Optional.empty();
  }

  private static Conforming.Result shape(
      Call call, JsonObject object, GroupVersionKind kind, Shaping shaping) {
    custom(call, kind).ifPresent(_ -> checkKindIsTold(object, kind));
    DecodeFailures.checkKind(object, kind);
    try {
      return shaping.shape(object, kind, custom(call, kind));
    } catch (JsonException e) {
      throw DecodeFailures.unreadable(kind, shaping.problem(call, object, kind, e));
    }
  }

  /** Tells the client what is odd about the fields that it sent, as it wishes. */
  private static void report(Call call, GroupVersionKind kind, Oddities oddities) {
    FieldValidation wish = fieldValidation(call);
    if (oddities.isEmpty()) {
      return;
    }
    switch (wish) {
      case IGNORE -> {}
      case WARN -> oddities.warnings().forEach(call::warn);
      case STRICT -> throw DecodeFailures.unreadable(kind, oddities.error());
    }
  }

  /** Objects of defined kinds are read by what they say that they are. */
  private static void checkKindIsTold(JsonObject object, GroupVersionKind kind) {
    String missing =
        object.text("kind", "").isEmpty()
            ? "Kind"
            : object.text("apiVersion", "").isEmpty() ? "apiVersion" : "";
    if (!missing.isEmpty()) {
      throw Failures.badRequest(
          "the object provided is unrecognized (must be of type %s): Object '%s' is missing"
              .formatted(kind.kind(), missing));
    }
  }

  /** What the client wishes; {@link RequestOptions} refuses what is none of these. */
  private static FieldValidation fieldValidation(Call call) {
    return switch (call.query().text("fieldValidation")) {
      case "Ignore" -> FieldValidation.IGNORE;
      case "Strict" -> FieldValidation.STRICT;
      default -> FieldValidation.WARN;
    };
  }
}
