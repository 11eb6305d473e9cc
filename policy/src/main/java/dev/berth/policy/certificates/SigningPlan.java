package dev.berth.policy.certificates;

import dev.berth.model.certificates.CertificateRequestTree;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of a request that was approved: it is signed, or it fails for good if it is not one
 * that its signer signs, and says why.
 */
public record SigningPlan(List<SigningAction> actions, JsonObject withStatus)
    implements Decision<SigningAction> {
  public SigningPlan {
    actions = List.copyOf(actions);
  }

  /**
   * What the decision depends on.
   *
   * @param signers those that there are keys for
   * @param longest for how long they sign
   */
  public record Snapshot(
      CertificateRequest request, Set<KubernetesSigner> signers, Duration longest) {}

  public static SigningPlan decide(Snapshot snapshot, Instant now) {
    CertificateRequest request = snapshot.request();
    Optional<KubernetesSigner> signer =
        KubernetesSigner.of(request.signerName()).filter(snapshot.signers()::contains);
    if (signer.isEmpty() || !CertificateRequest.isToBeSigned(request.tree())) {
      return new SigningPlan(List.of(), request.tree());
    }
    Optional<String> problem =
        request.requested().isEmpty()
            ? Optional.of("unable to parse csr \"%s\"".formatted(request.name()))
            : signer.get().problem(request.requested().get(), request.usages());
    if (problem.isPresent()) {
      return new SigningPlan(List.of(), failed(request.tree(), problem.get(), now));
    }
    Duration validity = SigningDuration.of(request.expiration(), snapshot.longest());
    return new SigningPlan(
        List.of(new SigningAction.Sign(request, signer.get(), validity)), request.tree());
  }

  /** A request that failed for good. */
  public static JsonObject failed(JsonObject request, String why, Instant now) {
    return new CertificateRequestTree(request)
        .with(CertificateRequest.FAILED, "SignerValidationFailure", why, now);
  }

  @Override
  public Optional<Instant> next() {
    return Optional.empty();
  }
}
