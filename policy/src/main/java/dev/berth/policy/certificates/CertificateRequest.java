package dev.berth.policy.certificates;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
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
    JsonObject spec = tree.object("spec");
    return new CertificateRequest(
        tree,
        spec.text("signerName", ""),
        spec.text("username", ""),
        spec.array("groups").texts(),
        Set.copyOf(spec.array("usages").texts()),
        spec.integer("expirationSeconds").stream().mapToObj(Duration::ofSeconds).findFirst(),
        requested);
  }

  public String name() {
    return Metadata.of(tree).name();
  }

  /** Whether nobody has approved or denied it, nor signed it. */
  public static boolean isPending(JsonObject tree) {
    return !isIssued(tree)
        && Conditions.find(conditions(tree), APPROVED).isEmpty()
        && Conditions.find(conditions(tree), DENIED).isEmpty();
  }

  /** Whether it is approved, and neither signed nor failed. */
  public static boolean isToBeSigned(JsonObject tree) {
    JsonArray conditions = conditions(tree);
    return !isIssued(tree)
        && Conditions.find(conditions, APPROVED).isPresent()
        && Conditions.find(conditions, DENIED).isEmpty()
        && !Conditions.isTrue(conditions, FAILED);
  }

  static boolean isIssued(JsonObject tree) {
    return !tree.object("status").text("certificate", "").isEmpty();
  }

  static JsonArray conditions(JsonObject tree) {
    return tree.object("status").array("conditions");
  }
}
