package dev.berth.controllers.certificates;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.SigningRequest;
import dev.berth.pki.SigningResult;
import dev.berth.policy.certificates.CertificateRequest;
import dev.berth.policy.certificates.KubernetesSigner;
import dev.berth.policy.certificates.SigningAction;
import dev.berth.policy.certificates.SigningPlan;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Signs requests for Kubernetes' own signers once they are approved, as {@link SigningPlan} says.
 */
public final class CertificateSigningController
    implements Reconciler<SigningPlan.Snapshot, SigningAction, SigningPlan> {
  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(RequestReader.KIND, "csrsigning", "csrsigning", 5, 5);

  private final Api api;
  private final Time time;
  private final Consumer<String> warnings;
  private final SigningSettings settings;

  private CertificateSigningController(ControllerParts parts, SigningSettings settings) {
    this.api = parts.api();
    this.time = parts.time();
    this.warnings = parts.warnings();
    this.settings = settings;
  }

  public static Controller start(ControllerParts parts, SigningSettings settings) {
    return new ReconcilerFrame<>(parts, SETTINGS, new CertificateSigningController(parts, settings))
        .start();
  }

  @Override
  public boolean isToBeReconciled(JsonObject request) {
    return CertificateRequest.isToBeSigned(request)
        && KubernetesSigner.of(request.object("spec").text("signerName", ""))
            .filter(settings.signers()::containsKey)
            .isPresent();
  }

  @Override
  public SigningPlan.Snapshot snapshot(Reconciliation run, List<JsonObject> owned) {
    return new SigningPlan.Snapshot(
        RequestReader.read(run.object()), settings.signers().keySet(), settings.longest());
  }

  @Override
  public SigningPlan decide(SigningPlan.Snapshot snapshot, Instant now) {
    return SigningPlan.decide(snapshot, now);
  }

  @Override
  public void apply(Reconciliation run, SigningAction action) {
    switch (action) {
      case SigningAction.Sign sign -> {
        Instant now = time.now();
        run.request(
            () -> sign(sign, now),
            result -> {
              if (result instanceof ApiResult.Unreachable(String why)) {
                warnings.accept(
                    "cannot sign certificate signing request %s, and tries again: %s"
                        .formatted(sign.request().name(), why));
              }
              run.failUnlessGone("FailedSigning", result);
              // Whatever it is now will be heard of.
              run.waitForNews();
            });
      }
    }
  }

  /** Signs, and writes the certificate into the request, or why there is none; blocks. */
  private ApiResult sign(SigningAction.Sign sign, Instant now) {
    JsonObject tree = sign.request().tree();
    SigningRequest request = RequestReader.signingRequest(tree, sign.validity()).orElseThrow();
    return switch (Objects.requireNonNull(settings.signers().get(sign.signer()))
        .sign(request, now)) {
      case SigningResult.Signed signed -> {
        String certificate = Base64.getEncoder().encodeToString(signed.pem().getBytes(US_ASCII));
        yield api.updateStatus(
            Resources.CERTIFICATE_SIGNING_REQUESTS,
            tree.with("status", tree.object("status").with("certificate", certificate)));
      }
      case SigningResult.Refused(String why) ->
          api.updateStatus(
              Resources.CERTIFICATE_SIGNING_REQUESTS, SigningPlan.failed(tree, why, now));
      case SigningResult.Unavailable(String why) -> new ApiResult.Unreachable(why);
    };
  }
}
