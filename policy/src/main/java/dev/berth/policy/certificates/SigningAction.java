package dev.berth.policy.certificates;

import dev.berth.policy.reconcile.Action;
import java.time.Duration;

/** Something to be done about a request that was approved. */
public sealed interface SigningAction extends Action {

  /**
   * It is signed.
   *
   * @param validity from now on
   */
  record Sign(CertificateRequest request, KubernetesSigner signer, Duration validity)
      implements SigningAction {
    @Override
    public String reason() {
      return "sign certificate signing request %s, valid for %s"
          .formatted(request.name(), validity);
    }
  }
}
