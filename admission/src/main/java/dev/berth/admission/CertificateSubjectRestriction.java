package dev.berth.admission;

import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.pki.SigningRequest;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/** Nobody becomes a master of the cluster by a certificate that is signed on request. */
public final class CertificateSubjectRestriction implements AdmissionPlugin {
  private static final String SIGNER = "kubernetes.io/kube-apiserver-client";

  @Override
  public void validate(AdmissionRequest request) {
    if (!request.creates() || !request.writes(RequesterIdentity.GROUP, RequesterIdentity.PLURAL)) {
      return;
    }
    JsonObject spec = request.object().object("spec");
    if (!spec.text("signerName", "").equals(SIGNER)) {
      return;
    }
    byte[] pem = Base64.getDecoder().decode(spec.text("request", ""));
    List<String> groups =
        new SigningRequest(pem, List.of(), Duration.ofDays(1)).organizations().orElse(List.of());
    if (groups.contains(User.MASTERS)) {
      throw ClusterReader.forbidden(
          request, "use of %s signer with %s group is not allowed".formatted(SIGNER, User.MASTERS));
    }
  }
}
