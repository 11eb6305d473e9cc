package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever writes a node is told about it. */
final class NodeWarnings {
  private static final FieldPath RANGES = FieldPath.of("spec", "podCIDRs");

  private NodeWarnings() {}

  static List<String> of(JsonObject node) {
    List<String> warnings = new ArrayList<>();
    JsonObject spec = node.object("spec");
    if (spec.has("configSource")) {
      warnings.add("spec.configSource: the feature is removed");
    }
    if (!spec.text("externalID", "").isEmpty()) {
      warnings.add("spec.externalID: this field is deprecated, and is unused by Kubernetes");
    }
    List<String> ranges = spec.array("podCIDRs").texts();
    for (int i = 0; i < ranges.size(); i++) {
      AddressWarnings.range(RANGES.index(i), ranges.get(i), warnings);
    }
    return warnings;
  }
}
