package dev.berth.access.review;

import dev.berth.access.AccessControl;
import dev.berth.access.rbac.PolicyRule;
import dev.berth.access.rbac.Rbac;
import dev.berth.access.token.TokenVerifier.Verdict;
import dev.berth.access.token.Tokens;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.registry.status.Failures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers reviews. The answer is the question with its status; nothing is stored.
 *
 * @param access decides what is asked about
 * @param rbac knows the rules of a user, as far as they can be listed
 */
public record Reviews(AccessControl access, Rbac rbac, Tokens tokens) {

  /** The answer to a question that somebody asks, about a namespace if the kind is in one. */
  public JsonObject answer(
      Resource resource, String namespace, JsonObject question, User asker, Instant now) {
    return switch (resource.kind().kind()) {
      case "SelfSubjectReview" -> selfSubject(resource, question, asker, now);
      case "TokenReview" -> token(resource, question);
      case "SelfSubjectRulesReview" -> rules(resource, question, asker);
      case "SelfSubjectAccessReview" -> {
        AccessQuestion.check(resource, "", question, List.of());
        yield access(resource, question, asker);
      }
      case "SubjectAccessReview", "LocalSubjectAccessReview" -> {
        AccessQuestion.check(resource, namespace, question, subjectProblems(question));
        yield access(resource, question, AccessQuestion.subject(question));
      }
      default -> throw Failures.noSuchResource();
    };
  }

  private static JsonObject selfSubject(
      Resource resource, JsonObject question, User asker, Instant now) {
    JsonObject dated =
        Metadata.update(question, m -> m.with("creationTimestamp", Times.format(now)));
    return answered(resource, dated, JsonObject.of("userInfo", asker.toTree()));
  }

  private JsonObject token(Resource resource, JsonObject question) {
    JsonObject spec = question.object("spec");
    String token = spec.text("token", "");
    if (token.isEmpty()) {
      throw Failures.badRequest("token is required for TokenReview in authentication");
    }
    List<String> audiences = spec.array("audiences").texts();
    Verdict verdict =
        tokens.verify(token, audiences.isEmpty() ? List.of(tokens.audience()) : audiences);
    JsonObject status =
        switch (verdict) {
          case Verdict.Known(User user, List<String> good) ->
              new JsonObject.Builder()
                  .put("authenticated", true)
                  .put("user", user.toTree())
                  .put("audiences", JsonArray.copyOf(good))
                  .build();
          case Verdict.Rejected(String why) ->
              new JsonObject.Builder().put("user", JsonObject.EMPTY).put("error", why).build();
          case Verdict.Unknown _ -> JsonObject.of("user", JsonObject.EMPTY);
        };
    return answered(resource, question, status);
  }

  private static List<FieldError> subjectProblems(JsonObject question) {
    JsonObject spec = question.object("spec");
    String user = spec.text("user", "");
    return user.isEmpty() && spec.array("groups").isEmpty()
        ? List.of(
            FieldError.invalid(
                "spec.user", user, "at least one of user or group must be specified"))
        : List.of();
  }

  private JsonObject access(Resource resource, JsonObject question, User subject) {
    return answered(
        resource,
        question,
        AccessQuestion.status(question, access.decide(subject, AccessQuestion.action(question))));
  }

  private JsonObject rules(Resource resource, JsonObject question, User asker) {
    String namespace = question.object("spec").text("namespace", "");
    if (namespace.isEmpty()) {
      throw Failures.badRequest("no namespace on request");
    }
    Rbac.Rules rules = rbac.rules(asker, namespace);
    List<JsonObject> onResources = new ArrayList<>();
    List<JsonObject> onPaths = new ArrayList<>();
    for (PolicyRule rule : rules.rules()) {
      JsonObject tree = rule.toTree();
      if (!rule.resources().isEmpty()) {
        onResources.add(tree.without("nonResourceURLs"));
      }
      if (!rule.nonResourceUrls().isEmpty()) {
        onPaths.add(tree.without("resources").without("apiGroups").without("resourceNames"));
      }
    }
    boolean isNode = NodeUsers.nodeName(asker).isPresent();
    JsonObject.Builder status =
        new JsonObject.Builder()
            .put("resourceRules", JsonArray.copyOf(onResources))
            .put("nonResourceRules", JsonArray.copyOf(onPaths))
            .put("incomplete", isNode);
    if (isNode) {
      status.put("evaluationError", "node authorizer does not support user rule resolution");
    } else if (!rules.problems().isEmpty()) {
      status.put("evaluationError", rules.problem());
    }
    // As upstream, the answer does not repeat what was asked.
    return answered(resource, JsonObject.of("spec", JsonObject.EMPTY), status.build());
  }

  private static JsonObject answered(Resource resource, JsonObject question, JsonObject status) {
    return new JsonObject.Builder()
        .put("kind", resource.kind().kind())
        .put("apiVersion", resource.kind().apiVersion())
        .put("metadata", question.object("metadata"))
        .putIfPresent("spec", question.get("spec"))
        .put("status", status)
        .build();
  }
}
