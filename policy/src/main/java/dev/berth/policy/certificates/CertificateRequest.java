package dev.berth.policy.certificates;

import dev.berth.model.certificates.CertificateRequestTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A CertificateSigningRequest.
 *
 * @param tree as it was read
 * @param username who asks
 * @param groups the groups that they are in
 * @param expiration for how long they want the certificate, if they say so
 * @param requested for whom; empty if that cannot be read
 */
public record CertificateRequest(
    JsonObject tree,
    String signerName,
    String username,
    List<String> groups,
    Set<String> usages,
    Optional<Duration> expiration,
    Optional<RequestedCertificate> requested) {
  public CertificateRequest {
    groups = List.copyOf(groups);
    usages = Set.copyOf(usages);
  }

  static final String APPROVED = "Approved";
  static final String DENIED = "Denied";
  static final String FAILED = "Failed";

  public static CertificateRequest read(JsonObject tree, Optional<RequestedCertificate> requested) {
    CertificateRequestTree request = new CertificateRequestTree(tree);
    return new CertificateRequest(
        tree,
        request.signerName(),
        request.username(),
        request.groups(),
        request.usages(),
        request.expiration(),
        requested);
  }

  public String name() {
    return Metadata.of(tree).name();
  }

  /** Whether nobody has approved or denied it, nor signed it. */
  public static boolean isPending(JsonObject tree) {
    CertificateRequestTree request = new CertificateRequestTree(tree);
    return !request.isIssued() && !request.has(APPROVED) && !request.has(DENIED);
  }

  /** Whether it is approved, and neither signed nor failed. */
  public static boolean isToBeSigned(JsonObject tree) {
    CertificateRequestTree request = new CertificateRequestTree(tree);
    return !request.isIssued()
        && request.has(APPROVED)
        && !request.has(DENIED)
        && !request.has(FAILED);
  }
}
