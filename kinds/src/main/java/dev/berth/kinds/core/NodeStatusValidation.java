package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with what a node says of itself. */
final class NodeStatusValidation {
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final Set<String> COUNTS =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");

  private NodeStatusValidation() {}

  static void resources(JsonObject status, FieldErrorList problems) {
    for (String field : List.of("capacity", "allocatable")) {
      JsonObject amounts = status.object(field);
      for (String name : amounts.names()) {
        FieldPath at = STATUS.field(field).field(name);
        Quantity amount = Quantity.fromTree(String.valueOf(amounts.get(name)));
        if (amount.signum() < 0) {
          problems.invalid(at, amount.toString(), "must be greater than or equal to 0");
        }
        boolean counted =
            COUNTS.contains(name) || (name.contains("/") && !name.contains("kubernetes.io/"));
        if (counted && amount.amount().stripTrailingZeros().scale() > 0) {
          problems.invalid(at, amount.toString(), "must be an integer");
        }
      }
    }
  }

  static void addresses(JsonObject status, FieldErrorList problems) {
    Set<JsonObject> known = new HashSet<>();
    List<JsonObject> addresses = status.array("addresses").objects();
    for (int i = 0; i < addresses.size(); i++) {
      if (!known.add(addresses.get(i))) {
        JsonObject shown =
            JsonObject.of("Type", addresses.get(i).text("type", ""))
                .with("Address", addresses.get(i).text("address", ""));
        problems.duplicate(STATUS.field("addresses").index(i), shown);
      }
    }
  }
}
