package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever writes Endpoints is told about their addresses, unless it is the controller. */
final class EndpointsWarnings {
  private static final FieldPath SUBSETS = FieldPath.of("subsets");

  private EndpointsWarnings() {}

  static List<String> of(JsonObject endpoints) {
    List<String> warnings = new ArrayList<>();
    String manager = Metadata.of(endpoints).labels().text("endpoints.kubernetes.io/managed-by", "");
    if (manager.equals("endpoint-controller")) {
      return warnings;
    }
    List<JsonObject> subsets = endpoints.array("subsets").objects();
    for (int i = 0; i < subsets.size(); i++) {
      for (String list : List.of("addresses", "notReadyAddresses")) {
        List<JsonObject> addresses = subsets.get(i).array(list).objects();
        for (int j = 0; j < addresses.size(); j++) {
          FieldPath at = SUBSETS.index(i).field(list).index(j).field("ip");
          AddressWarnings.address(at, addresses.get(j).text("ip", ""), warnings);
        }
      }
    }
    return warnings;
  }
}
