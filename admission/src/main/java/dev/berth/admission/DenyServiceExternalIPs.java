package dev.berth.admission;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;

/** Services get no further external addresses, by which they could take others' traffic. */
public final class DenyServiceExternalIPs implements AdmissionPlugin {
  @Override
  public void validate(AdmissionRequest request) {
    if (!request.deletes()
        && request.writesCore("services")
        && !addresses(request.old()).containsAll(addresses(request.object()))) {
      throw ClusterReader.forbidden(request, "Use of external IPs is denied by admission control");
    }
  }

  private static List<String> addresses(JsonObject service) {
    return service.object("spec").array("externalIPs").texts();
  }
}
