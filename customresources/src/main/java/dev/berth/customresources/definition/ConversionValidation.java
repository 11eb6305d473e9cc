package dev.berth.customresources.definition;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who converts objects from one version to another, and how they are reached. */
final class ConversionValidation {
  private static final List<String> STRATEGIES = List.of("None", "Webhook");
  private static final List<String> REVIEWS = List.of("v1", "v1beta1");
  private static final String FORM = "; desired format: https://host[/path]";
  private static final int LAST_PORT = 65535;

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
    if (client.has("url") == client.has("service")) {
      errors.required(at, "exactly one of url or service is required");
    } else if (client.has("url")) {
      url(client.text("url", ""), at.field("url"));
    } else {
      service(client.object("service"), at.field("service"));
    }
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

  private void url(String text, FieldPath at) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      errors.required(at, "url must be a valid URL: " + e.getMessage() + FORM);
      return;
    }
    String scheme = url.getScheme() == null ? "" : url.getScheme();
    if (!scheme.equals("https")) {
      errors.invalid(at, scheme, "'https' is the only allowed URL scheme" + FORM);
    }
    if (url.getRawAuthority() == null) {
      errors.invalid(at, "", "host must be specified" + FORM);
    }
    refused(url.getRawUserInfo(), "user information is not permitted in the URL", at);
    refused(url.getRawFragment(), "fragments are not permitted in the URL", at);
    refused(url.getRawQuery(), "query parameters are not permitted in the URL", at);
  }

  private void refused(@Nullable String part, String why, FieldPath at) {
    if (part != null && !part.isEmpty()) {
      errors.invalid(at, part, why);
    }
  }

  private void service(JsonObject service, FieldPath at) {
    // Upstream hands over name and namespace in the other order, so that each error names the
    // other field; nobody is served by that.
    errors.present(service, "name", at);
    errors.present(service, "namespace", at);
    long port = service.integer("port").orElse(443);
    if (port < 1 || port > LAST_PORT) {
      errors.invalid(
          at.field("port"), port, "port is not valid: must be between 1 and 65535, inclusive");
    }
    path(service.text("path", ""), at.field("path"));
  }

  private void path(String path, FieldPath at) {
    if (path.isEmpty() || path.equals("/")) {
      return;
    }
    if (path.equals("//")) {
      errors.invalid(at, path, "segment[0] may not be empty");
      return;
    }
    if (!path.startsWith("/")) {
      errors.invalid(at, path, "must start with a '/'");
    }
    String inside = path.substring(1);
    String checked = inside.endsWith("/") ? inside.substring(0, inside.length() - 1) : inside;
    List<String> steps = new ArrayList<>(List.of(checked.split("/", -1)));
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).isEmpty()) {
        errors.invalid(at, path, "segment[" + i + "] may not be empty");
        continue;
      }
      for (String problem : NameRules.dns1123Subdomain(steps.get(i))) {
        errors.invalid(at, path, "segment[" + i + "]: " + problem);
      }
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
