package dev.berth.kinds.discovery;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What whoever writes an EndpointSlice is told about its addresses, unless it is a controller. */
final class EndpointSliceWarnings implements ObjectWarnings {
  private static final Set<String> CONTROLLERS =
      Set.of("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io");

  @Override
  public List<String> onCreate(JsonObject slice) {
    List<String> warnings = new ArrayList<>();
    if (slice.text("addressType", "").equals("FQDN")) {
      warnings.add("spec.addressType: FQDN endpoints are deprecated");
    }
    warnings.addAll(onUpdate(slice, JsonObject.EMPTY));
    return warnings;
  }

  @Override
  public List<String> onUpdate(JsonObject slice, JsonObject old) {
    List<String> warnings = new ArrayList<>();
    String manager = Metadata.of(slice).labels().text("endpointslice.kubernetes.io/managed-by", "");
    if (CONTROLLERS.contains(manager)) {
      return warnings;
    }
    List<JsonObject> endpoints = slice.array("endpoints").objects();
    for (int i = 0; i < endpoints.size(); i++) {
      List<String> addresses = endpoints.get(i).array("addresses").texts();
      for (int j = 0; j < addresses.size(); j++) {
        FieldPath at = FieldPath.of("endpoints").index(i).field("addresses").index(j);
        AddressWarnings.address(at, addresses.get(j), warnings);
      }
    }
    return warnings;
  }
}
