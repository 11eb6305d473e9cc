package dev.berth.admission;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;

/**
 * A request for a certificate says who asks: the server writes that down, whatever the request
 * itself claims, and nobody changes it afterwards. Not a policy that could be turned off.
 */
public final class RequesterIdentity implements AdmissionPlugin {
  static final String GROUP = "certificates.k8s.io";
  static final String PLURAL = "certificatesigningrequests";

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!request.creates() || !request.writes(GROUP, PLURAL)) {
      return request.object();
    }
    User user = request.user();
    JsonObject spec =
        request
            .object()
            .object("spec")
            .without("uid")
            .without("extra")
            .with("username", user.name())
            .with("groups", JsonArray.copyOf(user.groups()));
    if (!user.uid().isEmpty()) {
      spec = spec.with("uid", user.uid());
    }
    if (!user.extra().isEmpty()) {
      spec = spec.with("extra", user.toTree().object("extra"));
    }
    return request.object().with("spec", spec);
  }
}
