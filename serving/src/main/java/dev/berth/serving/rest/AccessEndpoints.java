package dev.berth.serving.rest;

import dev.berth.access.review.Reviews;
import dev.berth.access.token.OpenIdDocuments;
import dev.berth.access.token.TokenRequests;
import dev.berth.http.Response;
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
    JsonObject answer;
    if (call.subresource().equals("token")) {
      JsonObject request = RequestBodies.object(call, TokenRequests.KIND);
      WriteOptions options = new WriteOptions(false, call.subresource(), "", call.user());
      request = admission.admit(call.resource(), call.name(), request, options);
      answer = tokens.answer(call.name(), request, call::warn);
    } else {
      JsonObject question = RequestBodies.object(call, call.resource().kind());
      answer =
          reviews.answer(call.resource(), call.namespace(), question, call.user(), registry.now());
    }
    call.respond(201, answer);
  }

  /** The document at a path, if it is one of OpenID's. */
  Optional<Response> answer(String path) {
    return openId.answer(path);
  }
}
