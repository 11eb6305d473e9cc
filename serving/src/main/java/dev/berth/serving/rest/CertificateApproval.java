package dev.berth.serving.rest;

import dev.berth.access.AccessControl;
import dev.berth.access.Action;
import dev.berth.model.resource.GroupResource;
import dev.berth.registry.Registry;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;

/**
 * Whether a user may approve or sign a certificate signing request: besides writing the request,
 * they must be allowed to approve, or to sign, for the signer that it names, or for all signers of
 * that signer's domain.
 */
final class CertificateApproval {
  private static final GroupResource SIGNERS = new GroupResource("certificates.k8s.io", "signers");
  private static final int FORBIDDEN = 403;

  private final Registry registry;
  private final AccessControl access;

  CertificateApproval(Registry registry, AccessControl access) {
    this.registry = registry;
    this.access = access;
  }

  static boolean concerns(Call call) {
    return call.resource()
        .groupResource()
        .toString()
        .equals("certificatesigningrequests.certificates.k8s.io");
  }

  void check(String verb, Call call) {
    if (verb.equals("get")) {
      return;
    }
    String doing = call.subresource().equals("approval") ? "approve" : "sign";
    String signer =
        registry.get(call.resource(), call.name()).tree().object("spec").text("signerName", "");
    int slash = signer.indexOf('/');
    String domain = (slash < 0 ? signer : signer.substring(0, slash)) + "/*";
    if (!may(call, doing, signer) && !may(call, doing, domain)) {
      throw Failures.forbidden(
          call.resource().groupResource(),
          call.name().name(),
          "user not permitted to %s requests with signerName \"%s\"".formatted(doing, signer));
    }
  }

  private boolean may(Call call, String verb, String signer) {
    try {
      access.check(call.user(), new Action.OnResource(verb, SIGNERS, "", signer, ""));
      return true;
    } catch (StatusException e) {
      if (e.status().code() == FORBIDDEN) {
        return false;
      }
      throw e;
    }
  }
}
