package dev.berth.access.review;

import dev.berth.access.Action;
import dev.berth.access.Authorizer.Decision;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.status.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a review of access asks: whether somebody may do something. */
final class AccessQuestion {
  private static final String ON_RESOURCE = "resourceAttributes";
  private static final String ON_PATH = "nonResourceAttributes";

  private AccessQuestion() {}

  /**
   * Refuses what is no question.
   *
   * @param namespace the one that it is asked in; empty for kinds that are in none
   * @param known what is wrong with it already
   */
  static void check(
      Resource resource, String namespace, JsonObject question, List<FieldError> known) {
    JsonObject spec = question.object("spec");
    List<FieldError> errors = new ArrayList<>();
    boolean onResource = spec.has(ON_RESOURCE);
    boolean onPath = spec.has(ON_PATH);
    if (onResource && onPath) {
      errors.add(
          FieldError.invalid(
              "spec." + ON_PATH,
              shown(spec.object(ON_PATH)),
              "cannot be specified in combination with resourceAttributes"));
    } else if (!onResource && !onPath) {
      errors.add(
          FieldError.invalid(
              "spec." + ON_RESOURCE,
              JsonNull.NULL,
              "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
    }
    errors.addAll(known);
    errors.addAll(SelectorAttributes.validate(spec.object(ON_RESOURCE)));
    metadata(resource, question, errors);
    if (resource.isNamespaced()) {
      checkLocal(namespace, spec, errors);
    }
    if (!errors.isEmpty()) {
      // Upstream does not say of which kind it is.
      GroupKind kind = new GroupKind(resource.groupKind().group(), "");
      throw Failures.invalid(kind, Metadata.of(question).name(), errors);
    }
  }

  /** A question has no name, labels or anything else of its own. */
  private static void metadata(Resource resource, JsonObject question, List<FieldError> errors) {
    JsonObject metadata = question.object("metadata").without("managedFields");
    if (resource.isNamespaced()) {
      metadata = metadata.without("namespace");
    }
    if (!metadata.isEmpty()) {
      errors.add(
          FieldError.invalid(
              "metadata",
              question.object("metadata"),
              resource.isNamespaced() ? "must be empty except for namespace" : "must be empty"));
    }
  }

  /** What is asked of a path, as upstream's own type has it. */
  private static JsonObject shown(JsonObject onPath) {
    return JsonObject.of("Path", onPath.text("path", "")).with("Verb", onPath.text("verb", ""));
  }

  private static void checkLocal(String namespace, JsonObject spec, List<FieldError> errors) {
    String asked = spec.object(ON_RESOURCE).text("namespace", "");
    if (spec.has(ON_PATH)) {
      errors.add(
          FieldError.invalid(
              "spec." + ON_PATH,
              shown(spec.object(ON_PATH)),
              "disallowed on this kind of request"));
    } else if (spec.has(ON_RESOURCE) && !asked.equals(namespace)) {
      errors.add(
          FieldError.invalid(
              "spec.resourceAttributes.namespace", asked, "must match metadata.namespace"));
    }
  }

  /** Whom it is about. */
  static User subject(JsonObject question) {
    JsonObject spec = question.object("spec");
    Map<String, List<String>> extra = new HashMap<>();
    JsonObject said = spec.object("extra");
    said.names().forEach(key -> extra.put(key, said.array(key).texts()));
    return new User(
        spec.text("user", ""), spec.text("uid", ""), spec.array("groups").texts(), extra);
  }

  /** What they want to do. */
  static Action action(JsonObject question) {
    JsonObject spec = question.object("spec");
    if (spec.has(ON_PATH)) {
      JsonObject path = spec.object(ON_PATH);
      return new Action.OnPath(path.text("verb", ""), path.text("path", ""));
    }
    JsonObject resource = spec.object(ON_RESOURCE);
    return new Action.OnResource(
        resource.text("verb", ""),
        new GroupResource(resource.text("group", ""), resource.text("resource", "")),
        resource.text("namespace", ""),
        resource.text("name", ""),
        resource.text("subresource", ""),
        SelectorAttributes.read(resource).selectors());
  }

  /** The answer to a question, given what is decided. */
  static JsonObject status(JsonObject question, Decision decision) {
    JsonObject.Builder status =
        new JsonObject.Builder().put("allowed", decision instanceof Decision.Allowed);
    if (decision instanceof Decision.Denied) {
      status.put("denied", true);
    }
    if (!decision.reason().isEmpty()) {
      status.put("reason", decision.reason());
    }
    List<String> problems =
        SelectorAttributes.read(question.object("spec").object(ON_RESOURCE)).problems();
    if (!problems.isEmpty()) {
      status.put("evaluationError", String.join("; ", problems));
    }
    return status.build();
  }
}
