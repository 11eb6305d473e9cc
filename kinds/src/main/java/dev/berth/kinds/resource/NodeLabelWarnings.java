package dev.berth.kinds.resource;

import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Labels of nodes that are deprecated, wherever nodes are selected by their labels. */
public final class NodeLabelWarnings {
  private static final Map<String, String> DEPRECATED =
      Map.of(
          "beta.kubernetes.io/arch",
          "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
          "beta.kubernetes.io/os",
          "deprecated since v1.14; use \"kubernetes.io/os\" instead",
          "failure-domain.beta.kubernetes.io/region",
          "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
          "failure-domain.beta.kubernetes.io/zone",
          "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
          "beta.kubernetes.io/instance-type",
          "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
          "app.kubernetes.io/created-by",
          "deprecated since v1.9",
          "scheduler.alpha.kubernetes.io/preferAvoidPods",
          "deprecated since v1.22; use Taints and Tolerations instead",
          "node-role.kubernetes.io/master",
          "use \"node-role.kubernetes.io/control-plane\" instead");

  private NodeLabelWarnings() {}

  /** Why a label should not be used any more. */
  public static Optional<String> of(String label) {
    return Optional.ofNullable(DEPRECATED.get(label));
  }

  /** About a field whose value is the key of a label. */
  public static void key(String label, FieldPath at, List<String> warnings) {
    of(label).ifPresent(why -> warnings.add("%s: %s is %s".formatted(at, label, why)));
  }

  /** About one term of a node selector; of one that only prefers nodes, values may be anything. */
  public static void term(
      JsonObject term, boolean checksValues, FieldPath at, List<String> warnings) {
    List<JsonObject> expressions = term.array("matchExpressions").objects();
    for (int i = 0; i < expressions.size(); i++) {
      FieldPath place = at.field("matchExpressions").index(i);
      key(expressions.get(i).text("key", ""), place.field("key"), warnings);
      if (checksValues) {
        List<String> values = expressions.get(i).array("values").texts();
        for (int j = 0; j < values.size(); j++) {
          for (String problem : NameRules.labelValue(values.get(j))) {
            warnings.add(
                "%s: %s is invalid, %s"
                    .formatted(place.field("values").index(j), values.get(j), problem));
          }
        }
      }
    }
  }

  /** About a label selector that nodes are found by. */
  public static void selector(JsonObject selector, FieldPath at, List<String> warnings) {
    term(selector, false, at, warnings);
    for (String label : selector.object("matchLabels").names()) {
      of(label)
          .ifPresent(
              why -> warnings.add("%s: %s".formatted(at.field("matchLabels").field(label), why)));
    }
  }
}
