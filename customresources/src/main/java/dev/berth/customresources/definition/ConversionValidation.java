package dev.berth.customresources.definition;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.WebhookClientValidation;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Who converts objects from one version to another, and how they are reached. */
final class ConversionValidation {
  private static final List<String> STRATEGIES = List.of("None", "Webhook");
  private static final List<String> REVIEWS = List.of("v1", "v1beta1");

  private final FieldErrorList errors = new FieldErrorList();

  private ConversionValidation() {}

  /**
   * @param anyBundle whether authorities that nobody can read are let through, as they are until
   *     the definition is established: many are filled in later
   */
  static List<FieldError> validate(JsonObject conversion, FieldPath at, boolean anyBundle) {
    ConversionValidation validation = new ConversionValidation();
    if (!conversion.isEmpty()) {
      validation.conversion(conversion, at, anyBundle);
    }
    return validation.errors.all();
  }

  private void conversion(JsonObject conversion, FieldPath at, boolean anyBundle) {
    String strategy = conversion.text("strategy", "");
    if (strategy.isEmpty()) {
      errors.required(at.field("strategy"), "");
    } else {
      errors.oneOf(at.field("strategy"), strategy, STRATEGIES);
    }
    JsonObject webhook = conversion.object("webhook");
    FieldPath client = at.field("webhookClientConfig");
    FieldPath reviews = at.field("conversionReviewVersions");
    JsonArray versions = webhook.array("conversionReviewVersions");
    if (!strategy.equals("Webhook")) {
      String not = "should not be set when strategy is not set to Webhook";
      if (webhook.has("clientConfig")) {
        errors.forbidden(client, not);
      }
      if (!versions.isEmpty()) {
        errors.forbidden(reviews, not);
      }
      return;
    }
    if (!webhook.has("clientConfig")) {
      errors.required(client, "required when strategy is set to Webhook");
    } else {
      client(webhook.object("clientConfig"), client, anyBundle);
    }
    reviews(versions, reviews);
  }

  private void client(JsonObject client, FieldPath at, boolean anyBundle) {
    WebhookClientValidation.check(client, at, errors);
    String bundle = client.text("caBundle", "");
    if (!anyBundle && !bundle.isEmpty() && !isBundle(bundle)) {
      errors.invalid(
          at.field("caBundle"),
          bundle,
          "unable to load root certificates: unable to parse bytes as PEM block");
    }
  }

  private static boolean isBundle(String base64) {
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      return !CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(bytes))
          .isEmpty();
    } catch (IllegalArgumentException | CertificateException _) {
      return false;
    }
  }

  private void reviews(JsonArray versions, FieldPath at) {
    if (versions.isEmpty()) {
      errors.required(at, "");
      return;
    }
    Set<String> seen = new HashSet<>();
    List<String> texts = versions.texts();
    for (int i = 0; i < texts.size(); i++) {
      if (!seen.add(texts.get(i))) {
        errors.invalid(at.index(i), texts.get(i), "duplicate version");
        continue;
      }
      errors.invalid(at.index(i), texts.get(i), NameRules.dns1035Label(texts.get(i)));
    }
    if (REVIEWS.stream().noneMatch(seen::contains)) {
      errors.invalid(at, versions, "must include at least one of " + String.join(", ", REVIEWS));
    }
  }
}
