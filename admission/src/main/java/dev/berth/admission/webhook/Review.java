package dev.berth.admission.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.admission.match.MatchedRequest;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.webhook.WebhookClient;
import dev.berth.registry.webhook.WebhookException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Asks a webhook about a request: the AdmissionReview that it is sent, and what it may answer. */
final class Review {
  private static final String GROUP = "admission.k8s.io/";
  private static final String V1 = "v1";
  private static final List<String> VERSIONS = List.of(V1, "v1beta1");
  private static final int BAD_REQUEST = 400;
  private static final int UNAVAILABLE = 503;

  private final WebhookClient client;
  private final boolean mutating;

  /**
   * @param mutating whether webhooks may answer with a patch
   */
  Review(WebhookClient client, boolean mutating) {
    this.client = client;
    this.mutating = mutating;
  }

  /**
   * Asks.
   *
   * @param uid of this question
   * @param notices is told what the webhook says beside yes or no
   */
  Answer ask(Webhook webhook, MatchedRequest request, String uid, AdmissionNotices notices) {
    Optional<String> version =
        webhook.reviewVersions().stream().filter(VERSIONS::contains).findFirst();
    if (version.isEmpty()) {
      return failed(
          webhook,
          "could not create admission objects: webhook does not accept known AdmissionReview"
              + " versions (v1, v1beta1)",
          BAD_REQUEST);
    }
    JsonObject review =
        new JsonObject.Builder()
            .put("kind", "AdmissionReview")
            .put("apiVersion", GROUP + version.get())
            .put("request", request.tree(uid))
            .build();
    JsonObject answered;
    try {
      answered = client.call(webhook.address(), review, webhook.timeout());
    } catch (WebhookException e) {
      int code = e.code() == 0 ? UNAVAILABLE : e.code();
      return failed(webhook, "failed to call webhook: " + e.getMessage(), code);
    }
    try {
      return read(webhook, answered, version.get().equals(V1) ? uid : "", notices);
    } catch (InvalidResponse | JsonException e) {
      return failed(webhook, "received invalid webhook response: " + e.getMessage(), UNAVAILABLE);
    }
  }

  private static Answer.Failed failed(Webhook webhook, String why, int code) {
    return new Answer.Failed(
        "failed calling webhook \"%s\": %s".formatted(webhook.name(), why), code);
  }

  /**
   * @param uid that the answer has to repeat; empty for the older version, which need not
   */
  private Answer read(Webhook webhook, JsonObject review, String uid, AdmissionNotices notices)
      throws InvalidResponse {
    if (!review.has("response")) {
      throw new InvalidResponse("webhook response was absent");
    }
    JsonObject response = review.object("response");
    boolean strict = !uid.isEmpty();
    if (strict) {
      checkIdentity(review, response.text("uid", ""), uid);
    }
    JsonArray patch = patch(response, strict);
    response
        .object("auditAnnotations")
        .toStrings()
        .forEach((key, value) -> notices.annotate(webhook.name() + "/" + key, value));
    response.array("warnings").texts().forEach(notices::warn);
    return response.flag("allowed", false)
        ? new Answer.Allowed(patch)
        : Answer.Rejected.of(webhook.name(), response.object("status"));
  }

  private static void checkIdentity(JsonObject review, String answeredUid, String uid)
      throws InvalidResponse {
    if (!answeredUid.equals(uid)) {
      throw new InvalidResponse(
          "expected response.uid=\"%s\", got \"%s\"".formatted(uid, answeredUid));
    }
    String type = review.text("apiVersion", "") + ", Kind=" + review.text("kind", "");
    String expected = GROUP + V1 + ", Kind=AdmissionReview";
    if (!type.equals(expected)) {
      throw new InvalidResponse(
          "expected webhook response of %s, got %s".formatted(expected, type));
    }
  }

  private JsonArray patch(JsonObject response, boolean strict) throws InvalidResponse {
    String encoded = response.text("patch", "");
    if (!mutating) {
      if (strict && !encoded.isEmpty()) {
        throw new InvalidResponse("validating webhook may not return response.patch");
      }
      if (strict && response.has("patchType")) {
        throw new InvalidResponse("validating webhook may not return response.patchType");
      }
      return JsonArray.EMPTY;
    }
    if (strict && !encoded.isEmpty() && !response.has("patchType")) {
      throw new InvalidResponse("webhook returned response.patch but not response.patchType");
    }
    if (strict && encoded.isEmpty() && response.has("patchType")) {
      throw new InvalidResponse("webhook returned response.patchType but not response.patch");
    }
    String type = response.text("patchType", "JSONPatch");
    if (!type.equals("JSONPatch")) {
      throw new InvalidResponse("unsupported patch type \"%s\"".formatted(type));
    }
    return encoded.isEmpty() ? JsonArray.EMPTY : decoded(encoded);
  }

  private static JsonArray decoded(String patch) throws InvalidResponse {
    try {
      byte[] bytes = Base64.getDecoder().decode(patch.getBytes(UTF_8));
      if (JsonReader.value(bytes, JsonLimits.REQUEST) instanceof JsonArray operations) {
        return operations;
      }
      throw new InvalidResponse("received undecodable patch: it is no array of operations");
    } catch (IllegalArgumentException e) {
      throw new InvalidResponse("received undecodable patch: " + e.getMessage());
    }
  }

  /** An answer that no webhook may give. */
  private static final class InvalidResponse extends Exception {
    private static final long serialVersionUID = 1;

    InvalidResponse(String message) {
      super(message);
    }
  }
}
