package dev.berth.controllers.certificates;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.RequestedNames;
import dev.berth.pki.SigningRequest;
import dev.berth.policy.certificates.CertificateRequest;
import dev.berth.policy.certificates.RequestedCertificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/** Reads certificate signing requests, and the PKCS#10 request in them. */
final class RequestReader {
  static final ObjectKind KIND =
      new ObjectKind(Resources.CERTIFICATE_SIGNING_REQUESTS, "CertificateSigningRequest");

  private RequestReader() {}

  static CertificateRequest read(JsonObject tree) {
    return CertificateRequest.read(
        tree,
        signingRequest(tree, Duration.ZERO)
            .flatMap(SigningRequest::requestedNames)
            .map(RequestReader::requested));
  }

  /** What there is to sign; empty if it is not in base64. */
  static Optional<SigningRequest> signingRequest(JsonObject tree, Duration validity) {
    JsonObject spec = tree.object("spec");
    return decoded(spec.text("request", ""))
        .map(pem -> new SigningRequest(pem, spec.array("usages").texts(), validity));
  }

  /** The text of a field that holds bytes. */
  static Optional<String> decoded(String base64) {
    try {
      return Optional.of(new String(Base64.getDecoder().decode(base64), ISO_8859_1));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static RequestedCertificate requested(RequestedNames names) {
    return new RequestedCertificate(
        names.commonName(),
        names.organizations(),
        names.dnsNames(),
        names.ipAddresses(),
        names.emailAddresses(),
        names.uris());
  }
}
