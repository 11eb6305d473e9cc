package dev.berth.admission;

import dev.berth.kinds.resource.Subresource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Claims on devices that others use, for whoever looks after these, are for namespaces that are
 * labelled for it. Not a policy that could be turned off.
 */
final class DeviceAdminAccess implements AdmissionPlugin {
  private static final String GROUP = "resource.k8s.io";
  private static final String CLAIMS = "resourceclaims";
  private static final String FIELD = "adminAccess";
  private static final String LABEL = "resource.kubernetes.io/admin-access";

  private final ClusterReader reader;

  DeviceAdminAccess(Registry registry) {
    this.reader = new ClusterReader(registry);
  }

  @Override
  public List<FieldError> fieldErrors(AdmissionRequest request) {
    JsonObject object = request.object();
    if (request.creates() && request.writes(GROUP, CLAIMS)) {
      return check(request, requested(object.object("spec")));
    }
    if (request.creates() && request.writes(GROUP, "resourceclaimtemplates")) {
      return check(request, requested(object.object("spec").object("spec")));
    }
    boolean allocates =
        request.resource().kind().group().equals(GROUP)
            && request.resource().plural().equals(CLAIMS)
            && request.subresource().equals(Subresource.STATUS);
    return allocates && granted(request.old()).isEmpty()
        ? check(request, granted(object))
        : List.of();
  }

  /** The field that asks for such access, if there is one. */
  private static Optional<String> requested(JsonObject claim) {
    List<JsonObject> requests = claim.object("devices").array("requests").objects();
    return IntStream.range(0, requests.size())
        .filter(i -> requests.get(i).object("exactly").flag(FIELD, false))
        .mapToObj("spec.devices.requests[%d].adminAccess"::formatted)
        .findFirst();
  }

  /** The field that grants it. */
  private static Optional<String> granted(JsonObject claim) {
    List<JsonObject> results =
        claim.object("status").object("allocation").object("devices").array("results").objects();
    return IntStream.range(0, results.size())
        .filter(i -> results.get(i).flag(FIELD, false))
        .mapToObj("status.allocation.devices.results[%d].adminAccess"::formatted)
        .findFirst();
  }

  private List<FieldError> check(AdmissionRequest request, Optional<String> field) {
    return field.isEmpty() || isLabelled(request)
        ? List.of()
        : List.of(
            FieldError.forbidden(
                field.get(),
                "admin access to devices requires the `%s: true` label on the containing namespace"
                    .formatted(LABEL)));
  }

  private boolean isLabelled(AdmissionRequest request) {
    return reader
        .namespace(request.name().namespace())
        .map(namespace -> Metadata.of(namespace).labels().text(LABEL, ""))
        .filter("true"::equals)
        .isPresent();
  }
}
