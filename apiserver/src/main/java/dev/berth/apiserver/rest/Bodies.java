package dev.berth.apiserver.rest;

import dev.berth.apiserver.http.BodyTooLargeException;
import dev.berth.apiserver.http.Exchange;
import dev.berth.apiserver.resource.Conforming;
import dev.berth.apiserver.resource.FieldValidation;
import dev.berth.apiserver.status.Failures;
import dev.berth.apiserver.status.StatusException;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What clients send, as objects in the shape that their schema says. */
final class Bodies {
  private static final List<String> ACCEPTED = List.of("application/json");

  private Bodies() {}

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

  /** The object in the body, which must be of a kind. */
  static JsonObject object(Call call, GroupVersionKind kind) {
    String type = mediaType(call.exchange());
    if (!type.isEmpty() && !ACCEPTED.contains(type)) {
      throw Failures.unsupportedMediaType(ACCEPTED);
    }
    return shaped(call, read(bytes(call.exchange()), kind), kind);
  }

  /** The document, which may be empty where a body is optional. */
  static JsonObject optional(Call call) {
    byte[] bytes = bytes(call.exchange());
    try {
      return bytes.length == 0 ? JsonObject.EMPTY : JsonReader.object(bytes, JsonLimits.REQUEST);
    } catch (JsonException e) {
      throw Failures.badRequest("the body of the request is no JSON object: " + e.getMessage());
    }
  }

  private static JsonObject read(byte[] bytes, GroupVersionKind kind) {
    try {
      return JsonReader.object(bytes, JsonLimits.REQUEST);
    } catch (JsonException e) {
      throw unreadable(kind, String.valueOf(e.getMessage()));
    }
  }

  /**
   * An object in its shape. Fields that the schema does not know are dropped, and the client is
   * told, as it wishes: with a warning, with an error, or not at all.
   */
  static JsonObject shaped(Call call, JsonObject object, GroupVersionKind kind) {
    return shaped(call, object, kind, Conforming::shape);
  }

  /** What somebody applies, in its shape. */
  static JsonObject applied(Call call, JsonObject object, GroupVersionKind kind) {
    return shaped(call, object, kind, Conforming::shapeApplied);
  }

  /** How an object gets its shape. */
  private interface Shaping {
    Conforming.Result shape(JsonObject object, GroupVersionKind kind, Schemas schemas);
  }

  private static JsonObject shaped(
      Call call, JsonObject object, GroupVersionKind kind, Shaping shaping) {
    checkKind(object, kind);
    Conforming.Result result;
    try {
      result = shaping.shape(object, kind, Schemas.builtIn());
    } catch (JsonException e) {
      throw unreadable(kind, String.valueOf(e.getMessage()));
    }
    List<String> problems =
        result.unknownFields().stream().map(field -> "unknown field \"" + field + "\"").toList();
    if (!problems.isEmpty()) {
      switch (fieldValidation(call.query().text("fieldValidation"))) {
        case IGNORE -> {}
        case WARN -> problems.forEach(call::warn);
        case STRICT ->
            throw unreadable(
                kind,
                "strict decoding error: " + problems.stream().collect(Collectors.joining(", ")));
      }
    }
    return result.object();
  }

  /** A kind or a version that is left out is the one that the path means. */
  private static void checkKind(JsonObject object, GroupVersionKind kind) {
    String own = object.get("kind") instanceof String text ? text : "";
    String version = object.get("apiVersion") instanceof String text ? text : "";
    if (!version.isEmpty() && !version.equals(kind.apiVersion())) {
      throw Failures.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(version, kind.apiVersion()));
    }
    if (!own.isEmpty() && !own.equals(kind.kind())) {
      throw Failures.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: the kind does not match the resource"
              .formatted(own, kind.version(), kind.kind()));
    }
  }

  private static FieldValidation fieldValidation(String text) {
    return switch (text) {
      case "", "Warn" -> FieldValidation.WARN;
      case "Ignore" -> FieldValidation.IGNORE;
      case "Strict" -> FieldValidation.STRICT;
      default ->
          throw Failures.badRequest(
              "fieldValidation: Unsupported value: \"%s\": supported values: \"Ignore\", \"Strict\","
                      .formatted(text)
                  + " \"Warn\"");
    };
  }

  static StatusException unreadable(GroupVersionKind kind, String why) {
    return Failures.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(kind.kind(), kind.version(), kind.kind(), why));
  }
}
