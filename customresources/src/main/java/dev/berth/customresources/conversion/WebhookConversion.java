package dev.berth.customresources.conversion;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import dev.berth.registry.webhook.WebhookAddress;
import dev.berth.registry.webhook.WebhookClient;
import dev.berth.registry.webhook.WebhookException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Has a webhook convert objects, all that are to be converted for a request at once. It may change
 * everything but metadata; of these, labels and annotations.
 */
final class WebhookConversion implements Conversion {
  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final String GROUP = "apiextensions.k8s.io";

  private final Supplier<WebhookClient> client;
  private final WebhookAddress address;
  private final List<String> reviewVersions;
  private final Supplier<String> uids;

  WebhookConversion(
      Supplier<WebhookClient> client,
      WebhookAddress address,
      List<String> reviewVersions,
      Supplier<String> uids) {
    this.client = client;
    this.address = address;
    this.reviewVersions = List.copyOf(reviewVersions);
    this.uids = uids;
  }

  @Override
  public List<JsonObject> convert(List<JsonObject> objects, String apiVersion) {
    String from = kind(objects.getFirst());
    String version =
        reviewVersions.stream()
            .filter(review -> review.equals("v1") || review.equals("v1beta1"))
            .findFirst()
            .orElseThrow(() -> Failures.internal("no supported conversion review versions"));
    String uid = uids.get();
    JsonObject review = review(objects, apiVersion, version, uid);
    try {
      JsonObject answer = client.get().call(address, review, WITHIN);
      List<JsonObject> converted = converted(answer, version, uid);
      if (converted.size() != objects.size()) {
        throw Failures.internal(
            "conversion webhook for %s returned %d objects, expected %d"
                .formatted(from, converted.size(), objects.size()));
      }
      List<JsonObject> checked = new ArrayList<>();
      for (int i = 0; i < objects.size(); i++) {
        checked.add(checked(objects.get(i), converted.get(i), apiVersion, i));
      }
      return checked;
    } catch (WebhookException | JsonException e) {
      throw Failures.internal(
          "conversion webhook for %s failed: %s".formatted(from, e.getMessage()));
    }
  }

  private static String kind(JsonObject object) {
    return "%s, Kind=%s".formatted(object.text("apiVersion", ""), object.text("kind", ""));
  }

  private static JsonObject review(
      List<JsonObject> objects, String apiVersion, String version, String uid) {
    JsonObject request =
        new JsonObject.Builder()
            .put("uid", uid)
            .put("desiredAPIVersion", apiVersion)
            .put("objects", JsonArray.copyOf(objects))
            .build();
    return new JsonObject.Builder()
        .put("kind", "ConversionReview")
        .put("apiVersion", new GroupVersion(GROUP, version).toString())
        .put("request", request)
        .build();
  }

  private static List<JsonObject> converted(JsonObject answer, String version, String uid)
      throws WebhookException {
    boolean strict = version.equals("v1");
    String expected = GROUP + "/" + version + ", Kind=ConversionReview";
    if (strict && !kind(answer).equals(expected)) {
      throw new WebhookException(
          "expected webhook response of %s, got %s".formatted(expected, kind(answer)));
    }
    if (!answer.has("response")) {
      throw new WebhookException("no response provided");
    }
    JsonObject response = answer.object("response");
    String own = response.text("uid", "");
    if (strict && !own.equals(uid)) {
      throw new WebhookException("expected response.uid=\"%s\", got \"%s\"".formatted(uid, own));
    }
    JsonObject result = response.object("result");
    String status = result.text("status", "");
    if (!status.equals("Success")) {
      String message = result.text("message", "");
      throw new WebhookException(
          message.isEmpty()
              ? "response.result.status was '%s', not 'Success'".formatted(status)
              : message);
    }
    return response.array("convertedObjects").objects();
  }

  private static JsonObject checked(
      JsonObject original, JsonObject converted, String apiVersion, int index) {
    String kind = original.text("kind", "");
    if (!converted.text("apiVersion", "").equals(apiVersion)) {
      throw invalid(
          original,
          index,
          "invalid groupVersion (expected %s, received %s)"
              .formatted(apiVersion, converted.text("apiVersion", "")));
    }
    if (!converted.text("kind", "").equals(kind)) {
      throw invalid(
          original,
          index,
          "invalid kind (expected %s, received %s)".formatted(kind, converted.text("kind", "")));
    }
    Metadata before = Metadata.of(original);
    Metadata after = Metadata.of(converted);
    same(original, index, "name", before.name(), after.name());
    same(original, index, "namespace", before.namespace(), after.namespace());
    same(original, index, "UID", before.uid(), after.uid());
    if (!converted.has("metadata")) {
      throw invalid(original, index, "missing metadata in converted object");
    }
    JsonObject metadata = original.object("metadata");
    for (String field : List.of("labels", "annotations")) {
      JsonObject texts = converted.object("metadata").object(field);
      for (String key : texts.names()) {
        if (!(texts.get(key) instanceof String)) {
          throw invalid(original, index, "metadata.%s[%s] must be a string".formatted(field, key));
        }
      }
      metadata = texts.isEmpty() ? metadata.without(field) : metadata.with(field, texts);
    }
    return converted.with("metadata", metadata);
  }

  private static void same(
      JsonObject original, int index, String what, String before, String after) {
    if (!before.equals(after)) {
      throw invalid(
          original, index, "must have the same %s: %s != %s".formatted(what, before, after));
    }
  }

  private static StatusException invalid(JsonObject original, int index, String why) {
    return Failures.internal(
        "conversion webhook for %s returned invalid converted object at index %d: %s"
            .formatted(kind(original), index, why));
  }
}
