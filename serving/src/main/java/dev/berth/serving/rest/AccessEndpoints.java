package dev.berth.serving.rest;

import dev.berth.access.review.Reviews;
import dev.berth.access.token.OpenIdDocuments;
import dev.berth.access.token.TokenRequests;
import dev.berth.http.Response;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.serving.request.Representation;
import java.util.Optional;

/** Answers requests about identities and rights: reviews, and tokens of service accounts. */
public final class AccessEndpoints {
  private final Registry registry;
  private final Reviews reviews;
  private final TokenRequests tokens;
  private final OpenIdDocuments openId;

  public AccessEndpoints(
      Registry registry, Reviews reviews, TokenRequests tokens, OpenIdDocuments openId) {
    this.registry = registry;
    this.reviews = reviews;
    this.tokens = tokens;
    this.openId = openId;
  }

  /**
   * Answers a request.
   *
   * @param admission asks the policies, unlike the registry that reviews are answered from
   */
  void answer(Call call, Registry admission) {
    Representation.expectObjects(call.exchange().headers("Accept"));
    WriteOptions options = RequestOptions.of(call, RequestOptions.CREATE);
    if (call.subresource().equals("token")) {
      JsonObject request =
          Registry.placedIn(
              call.resource(), call.name(), RequestBodies.object(call, TokenRequests.KIND));
      request = admission.admit(call.resource(), call.name(), request, options.untracked());
      JsonObject sent = TokenRequests.withDefaults(request);
      JsonObject answer = tokens.answer(call.name(), request, call::warn);
      call.respond(201, owned(TokenRequests.KIND, sent, answer, options));
    } else {
      GroupVersionKind kind = call.resource().kind();
      ObjectName place = new ObjectName(call.namespace(), "");
      JsonObject question =
          Registry.placedIn(call.resource(), place, RequestBodies.object(call, kind));
      JsonObject answer =
          reviews.answer(call.resource(), call.namespace(), question, call.user(), registry.now());
      // As upstream, an answer of rules is a new object that nobody wrote.
      boolean anew = kind.kind().equals("SelfSubjectRulesReview");
      call.respond(201, anew ? answer : owned(kind, question, answer, options));
    }
  }

  /** An answer that says who asked, as everything does that goes through a create. */
  private JsonObject owned(
      GroupVersionKind kind, JsonObject sent, JsonObject answer, WriteOptions options) {
    JsonArray owners =
        registry
            .trackSent(kind, sent.without("status"), options)
            .object("metadata")
            .array("managedFields");
    return owners.isEmpty()
        ? answer
        : Metadata.update(answer, metadata -> metadata.with("managedFields", owners));
  }

  /** The document at a path, if it is one of OpenID's. */
  Optional<Response> answer(String path) {
    return openId.answer(path);
  }
}
