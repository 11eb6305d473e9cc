package dev.berth.kinds.certificates;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.kinds.resource.SignerNames;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.SigningRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Requests for certificates. What is asked for never changes. Whether it is approved is said on one
 * path, and stays; the certificate comes on the other one.
 */
final class CertificateRequestRules implements ResourceRules {
  static final String APPROVAL = "approval";

  private static final FieldPath CONDITIONS = FieldPath.of("status", "conditions");
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final String LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
  private static final List<String> DECISIONS = List.of("Approved", "Denied");
  private static final List<String> ONLY_TRUE = List.of("Approved", "Denied", "Failed");
  private static final int LEAST_SECONDS = 600;
  private static final String WRONG_BLOCK = "PEM block type must be CERTIFICATE REQUEST";
  private static final String UNREADABLE =
      "must be a PEM block with a PKCS#10 certificate request, which cannot be read";
  private static final List<String> USAGES =
      List.of(
          "any",
          "cert sign",
          "client auth",
          "code signing",
          "content commitment",
          "crl sign",
          "data encipherment",
          "decipher only",
          "digital signature",
          "email protection",
          "encipher only",
          "ipsec end system",
          "ipsec tunnel",
          "ipsec user",
          "key agreement",
          "key encipherment",
          "microsoft sgc",
          "netscape sgc",
          "ocsp signing",
          "s/mime",
          "server auth",
          "signing",
          "timestamping");

  @Override
  public JsonObject prepareForUpdate(JsonObject request, JsonObject old, Instant now) {
    return FieldRules.keep("spec", request, old);
  }

  @Override
  public List<FieldError> validate(JsonObject request) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = request.object("spec");
    String text = spec.text("request", "");
    Object shown = text.isEmpty() ? JsonNull.NULL : text;
    problem(text).ifPresent(why -> problems.invalid(SPEC.field("request"), shown, why));
    usages(spec.array("usages").texts(), SPEC.field("usages"), problems);
    String signer = spec.text("signerName", "");
    if (signer.equals(LEGACY_SIGNER)) {
      problems.invalid(
          SPEC.field("signerName"),
          signer,
          "the legacy signerName is not allowed via this API version");
    } else {
      SignerNames.check(signer, SPEC.field("signerName"), problems);
    }
    long seconds = spec.integer("expirationSeconds").orElse(LEAST_SECONDS);
    if (seconds < LEAST_SECONDS) {
      problems.invalid(
          SPEC.field("expirationSeconds"),
          seconds,
          "may not specify a duration less than 600 seconds (10 minutes)");
    }
    return problems.all();
  }

  private static void usages(List<String> usages, FieldPath at, FieldErrorList problems) {
    if (usages.isEmpty()) {
      problems.required(at, "");
    }
    for (int i = 0; i < usages.size(); i++) {
      problems.oneOf(at.index(i), usages.get(i), USAGES);
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < usages.size(); i++) {
      if (!seen.add(usages.get(i))) {
        problems.duplicate(at.index(i), usages.get(i));
      }
    }
  }

  private static Optional<String> problem(String base64) {
    byte[] pem;
    try {
      pem = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      return Optional.of(WRONG_BLOCK);
    }
    SigningRequest request = new SigningRequest(pem, List.of(), Duration.ofDays(1));
    if (request.requestedNames().isEmpty()) {
      return Optional.of(request.isRequest() ? UNREADABLE : WRONG_BLOCK);
    }
    return request.signatureProblem();
  }

  /**
   * Approval changes the conditions and nothing else. The status' path changes all but the
   * decisions, which stay as they are if they are as many as before; otherwise it is refused.
   */
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
      conditions = keptAsBefore(conditions, before.array("conditions"), decision);
    }
    return kept.with(
        "status", conditions.isEmpty() ? wanted : wanted.with("conditions", conditions));
  }

  private static JsonArray keptAsBefore(JsonArray conditions, JsonArray before, String type) {
    List<Integer> now = places(conditions, type);
    List<Integer> then = places(before, type);
    JsonArray kept = conditions;
    for (int i = 0; now.size() == then.size() && i < now.size(); i++) {
      kept = kept.with(now.get(i), before.get(then.get(i)));
    }
    return kept;
  }

  private static List<Integer> places(JsonArray conditions, String type) {
    return IntStream.range(0, conditions.size())
        .filter(i -> conditions.objects().get(i).text("type", "").equals(type))
        .boxed()
        .toList();
  }

  @Override
  public List<FieldError> validateSubresource(
      String subresource, JsonObject request, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonArray conditions = request.object("status").array("conditions");
    JsonArray before = old.object("status").array("conditions");
    conditions(conditions, problems);
    String certificate = request.object("status").text("certificate", "");
    String issued = old.object("status").text("certificate", "");
    FieldPath at = FieldPath.of("status", "certificate");
    if (!certificate.equals(issued)) {
      IssuedCertificate.problem(certificate)
          .ifPresent(why -> problems.invalid(at, "<certificate data>", why));
    }
    for (String type : ONLY_TRUE) {
      if (places(conditions, type).size() < places(before, type).size()) {
        problems.forbidden(
            CONDITIONS, "updates may not remove a condition of type \"%s\"".formatted(type));
      }
    }
    for (String type : subresource.equals(APPROVAL) ? List.<String>of() : DECISIONS) {
      if (places(conditions, type).size() > places(before, type).size()) {
        problems.forbidden(
            CONDITIONS, "updates may not add a condition of type \"%s\"".formatted(type));
      }
    }
    if (!certificate.equals(issued) && !issued.isEmpty()) {
      problems.forbidden(at, "updates may not modify existing certificate content");
    }
    return problems.all();
  }

  private static void conditions(JsonArray conditions, FieldErrorList problems) {
    Set<String> types = new HashSet<>();
    for (int i = 0; i < conditions.size(); i++) {
      JsonObject condition = conditions.objects().get(i);
      FieldPath at = CONDITIONS.index(i);
      String type = condition.text("type", "");
      problems.present(condition, "type", at);
      if (problems.present(condition, "status", at)) {
        problems.oneOf(
            at.field("status"),
            condition.text("status", ""),
            ONLY_TRUE.contains(type) ? List.of("True") : List.of("False", "True", "Unknown"));
      }
      boolean again = !types.add(type);
      if (DECISIONS.contains(type) && types.containsAll(DECISIONS)) {
        problems.invalid(CONDITIONS, type, "Approved and Denied conditions are mutually exclusive");
      }
      if (again) {
        problems.duplicate(at.field("type"), type);
      }
    }
  }
}
