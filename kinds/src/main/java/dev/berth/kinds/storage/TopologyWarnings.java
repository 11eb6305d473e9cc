package dev.berth.kinds.storage;

import dev.berth.kinds.resource.NodeLabelWarnings;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever says where storage is, by the labels of nodes, is told about these labels. */
final class TopologyWarnings {
  private TopologyWarnings() {}

  static List<String> ofClass(JsonObject storageClass) {
    List<String> warnings = new ArrayList<>();
    List<JsonObject> terms = storageClass.array("allowedTopologies").objects();
    for (int i = 0; i < terms.size(); i++) {
      FieldPath term = FieldPath.of("allowedTopologies").index(i).field("matchLabelExpressions");
      List<JsonObject> expressions = terms.get(i).array("matchLabelExpressions").objects();
      for (int j = 0; j < expressions.size(); j++) {
        FieldPath at = term.index(j).field("key");
        NodeLabelWarnings.of(expressions.get(j).text("key", ""))
            .ifPresent(why -> warnings.add("%s: %s".formatted(at, why)));
      }
    }
    return warnings;
  }

  static List<String> ofCapacity(JsonObject capacity) {
    List<String> warnings = new ArrayList<>();
    FieldPath at = FieldPath.of("nodeTopology");
    NodeLabelWarnings.selector(capacity.object("nodeTopology"), at, warnings);
    return warnings;
  }
}
