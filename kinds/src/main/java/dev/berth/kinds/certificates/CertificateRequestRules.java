package dev.berth.kinds.certificates;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.SigningRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Requests for certificates. What is asked for never changes. Whether it is approved is said on one
 * path, and stays; the certificate comes on the other one.
 */
final class CertificateRequestRules implements ResourceRules {
  static final String APPROVAL = "approval";

  private static final FieldPath CONDITIONS = FieldPath.of("status", "conditions");
  private static final List<String> DECISIONS = List.of("Approved", "Denied");
  private static final int LEAST_SECONDS = 600;
  private static final Set<String> USAGES =
      Set.of(
          "signing",
          "digital signature",
          "content commitment",
          "key encipherment",
          "key agreement",
          "data encipherment",
          "cert sign",
          "crl sign",
          "encipher only",
          "decipher only",
          "any",
          "server auth",
          "client auth",
          "code signing",
          "email protection",
          "s/mime",
          "ipsec end system",
          "ipsec tunnel",
          "ipsec user",
          "timestamping",
          "ocsp signing",
          "microsoft sgc",
          "netscape sgc");

  @Override
  public JsonObject prepareForUpdate(JsonObject request, JsonObject old, Instant now) {
    return FieldRules.keep("spec", request, old);
  }

  @Override
  public List<FieldError> validate(JsonObject request) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject spec = request.object("spec");
    String text = spec.text("request", "");
    problem(text).ifPresent(why -> errors.add(FieldError.invalid("spec.request", text, why)));
    JsonArray usages = spec.array("usages");
    if (usages.isEmpty()) {
      errors.add(FieldError.required("spec.usages", ""));
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < usages.size(); i++) {
      String usage = usages.texts().get(i);
      String at = "spec.usages[" + i + "]";
      if (!USAGES.contains(usage)) {
        errors.add(FieldError.notSupported(at, usage, USAGES.stream().sorted().toList()));
      } else if (!seen.add(usage)) {
        errors.add(FieldError.duplicate(at, usage));
      }
    }
    signer(spec.text("signerName", ""), errors);
    long seconds = spec.integer("expirationSeconds").orElse(LEAST_SECONDS);
    if (seconds < LEAST_SECONDS) {
      errors.add(
          FieldError.invalid(
              "spec.expirationSeconds",
              seconds,
              "may not specify a duration less than 600 seconds (10 minutes)"));
    }
    return errors;
  }

  private static Optional<String> problem(String base64) {
    try {
      byte[] pem = Base64.getDecoder().decode(base64);
      SigningRequest request = new SigningRequest(pem, List.of(), Duration.ofDays(1));
      if (request.requestedNames().isPresent()) {
        return request.isSignedWithItsKey()
            ? Optional.empty()
            : Optional.of("the signature was not made with the request's own key");
      }
    } catch (IllegalArgumentException e) {
      // Said below, like what is in base64 and cannot be read.
    }
    return Optional.of("PEM block type must be CERTIFICATE REQUEST");
  }

  private static void signer(String signer, List<FieldError> errors) {
    if (signer.isEmpty()) {
      errors.add(FieldError.required("spec.signerName", ""));
      return;
    }
    int slash = signer.indexOf('/');
    if (slash < 0 || slash != signer.lastIndexOf('/')) {
      errors.add(
          FieldError.invalid(
              "spec.signerName",
              signer,
              "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
      return;
    }
    String domain = signer.substring(0, slash);
    NameRules.dns1123Subdomain(domain)
        .forEach(p ->
            errors.add(
                FieldError.invalid(
                    "spec.signerName", domain, "validating label \"" + domain + "\": " + p)));
    if (domain.indexOf('.') < 0) {
      errors.add(
          FieldError.invalid(
              "spec.signerName",
              domain,
              "should be a domain with at least two segments separated by dots"));
    }
    if (signer.equals("kubernetes.io/legacy-unknown")) {
      errors.add(
          FieldError.invalid(
              "spec.signerName",
              signer,
              "the legacy signerName is not allowed via this API version"));
    }
  }

  /** Approval changes the decisions and nothing else; the status' path changes all but them. */
  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    JsonObject before = old.object("status");
    JsonObject wanted = object.object("status");
    JsonObject kept = old.with("metadata", object.object("metadata"));
    if (subresource.equals(APPROVAL)) {
      return kept.with("status", FieldRules.keep("conditions", before, wanted));
    }
    JsonArray conditions = wanted.array("conditions");
    for (String decision : DECISIONS) {
      Optional<JsonObject> decided = Conditions.find(before.array("conditions"), decision);
      conditions = Conditions.remove(conditions, decision);
      conditions = decided.isPresent() ? conditions.append(decided.get()) : conditions;
    }
    return kept.with(
        "status",
        conditions.isEmpty()
            ? wanted.without("conditions")
            : wanted.with("conditions", conditions));
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject request, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    JsonArray conditions = request.object("status").array("conditions");
    JsonArray before = old.object("status").array("conditions");
    Set<String> types = new HashSet<>();
    for (int i = 0; i < conditions.size(); i++) {
      JsonObject condition = conditions.objects().get(i);
      FieldPath at = CONDITIONS.index(i);
      String type = condition.text("type", "");
      String status = condition.text("status", "");
      if (type.isEmpty()) {
        errors.add(FieldError.required(at.field("type").toString(), ""));
      }
      if (status.isEmpty()) {
        errors.add(FieldError.required(at.field("status").toString(), ""));
      } else if ((DECISIONS.contains(type) || type.equals("Failed")) && !status.equals("True")) {
        errors.add(
            FieldError.invalid(
                at.field("status").toString(),
                status,
                "must be True for a %s condition".formatted(type)));
      }
      if (!types.add(type)) {
        errors.add(FieldError.duplicate(at.field("type").toString(), type));
      }
    }
    if (types.containsAll(DECISIONS)) {
      errors.add(
          FieldError.invalid(
              CONDITIONS.toString(),
              "Approved,Denied",
              "Approved and Denied conditions are mutually exclusive"));
    }
    for (String type : List.of("Approved", "Denied", "Failed")) {
      if (Conditions.find(before, type).isPresent() && !types.contains(type)) {
        errors.add(
            FieldError.forbidden(
                CONDITIONS.toString(),
                "updates may not remove a condition of type \"%s\"".formatted(type)));
      }
    }
    String certificate = old.object("status").text("certificate", "");
    if (!certificate.isEmpty()
        && !certificate.equals(request.object("status").text("certificate", ""))) {
      errors.add(
          FieldError.forbidden(
              "status.certificate",
              "updates may not set certificate content when one is already there"));
    }
    return errors;
  }
}
