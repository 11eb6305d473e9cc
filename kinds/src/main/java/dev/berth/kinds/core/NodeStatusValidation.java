package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceAmountRules;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with what a node says of itself. */
final class NodeStatusValidation {
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final int LONGEST_FEATURE = 253;
  private static final Pattern FEATURE =
      Pattern.compile("[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*");

  private NodeStatusValidation() {}

  static void resources(JsonObject status, FieldErrorList problems) {
    for (String field : List.of("capacity", "allocatable")) {
      JsonObject amounts = status.object(field);
      for (String name : amounts.names()) {
        FieldPath at = STATUS.field(field).field(name);
        Quantity amount = Quantity.fromTree(String.valueOf(amounts.get(name)));
        ResourceAmountRules.amount(name, amount, at, problems);
      }
    }
  }

  static void swap(JsonObject status, FieldErrorList problems) {
    JsonObject swap = status.object("nodeInfo").object("swap");
    long capacity = swap.integer("capacity").orElse(1);
    if (capacity <= 0) {
      problems.invalid(
          FieldPath.of("metadata", "nodeSwapStatus", "capacity"),
          capacity,
          "must be greater than zero");
    }
  }

  /** What a node says that it can do, by names in order. */
  static void features(JsonObject status, FieldErrorList problems) {
    FieldPath at = STATUS.field("declaredFeatures");
    List<String> features = status.array("declaredFeatures").texts();
    for (int i = 0; i < features.size(); i++) {
      String feature = features.get(i);
      if (feature.length() > LONGEST_FEATURE) {
        problems.invalid(
            at.index(i),
            feature,
            "invalid feature name \"%s\": must be no more than %d characters"
                .formatted(feature, LONGEST_FEATURE));
      } else if (!FEATURE.matcher(feature).matches()) {
        problems.invalid(
            at.index(i),
            feature,
            ("invalid feature name \"%s\": must start with an UpperCamelCase segment, with"
                    + " subsequent segments separated by '/' (e.g., MyFeature or"
                    + " MyFeature/mySubFeature), and contain only alphanumeric characters and"
                    + " slashes")
                .formatted(feature));
      }
      int order = i + 1 < features.size() ? feature.compareTo(features.get(i + 1)) : -1;
      if (order == 0) {
        problems.duplicate(at.index(i + 1), feature);
      } else if (order > 0) {
        problems.invalid(
            at.index(i + 1), features.get(i + 1), "list must be sorted alphabetically");
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
