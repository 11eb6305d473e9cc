package dev.berth.kinds.networking;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever writes a network policy is told about its ranges. */
final class NetworkPolicyWarnings {
  private NetworkPolicyWarnings() {}

  static List<String> of(JsonObject policy) {
    List<String> warnings = new ArrayList<>();
    direction(policy, "ingress", "from", warnings);
    direction(policy, "egress", "to", warnings);
    return warnings;
  }

  private static void direction(
      JsonObject policy, String direction, String peers, List<String> warnings) {
    List<JsonObject> rules = policy.object("spec").array(direction).objects();
    for (int i = 0; i < rules.size(); i++) {
      List<JsonObject> all = rules.get(i).array(peers).objects();
      for (int j = 0; j < all.size(); j++) {
        FieldPath at = FieldPath.of("spec", direction).index(i).field(peers).index(j);
        if (all.get(j).has("ipBlock")) {
          block(all.get(j).object("ipBlock"), at.field("ipBlock"), warnings);
        }
      }
    }
  }

  private static void block(JsonObject block, FieldPath at, List<String> warnings) {
    AddressWarnings.range(at.field("cidr"), block.text("cidr", ""), warnings);
    List<String> exceptions = block.array("except").texts();
    for (int k = 0; k < exceptions.size(); k++) {
      AddressWarnings.range(at.field("except").index(k), exceptions.get(k), warnings);
    }
  }
}
