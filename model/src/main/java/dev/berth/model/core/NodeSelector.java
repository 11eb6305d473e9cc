package dev.berth.model.core;

import dev.berth.model.selector.LabelOperator;
import dev.berth.model.selector.LabelRequirement;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which nodes are meant: those that one of the terms matches. */
public record NodeSelector(List<Term> terms) {

  public static NodeSelector read(JsonObject selector) {
    return new NodeSelector(Views.list(selector.array("nodeSelectorTerms"), Term::read));
  }

  /**
   * Nodes that meet all of these requirements. A term without any requirement, or with one that is
   * malformed (an unknown operator, too many values or too few), means no node, as nobody can say
   * which ones were meant; its labels are then {@link LabelSelector#NOTHING}.
   */
  public record Term(LabelSelector labels, List<FieldRequirement> fields) {
    private static final Term NOTHING = new Term(LabelSelector.NOTHING, List.of());

    public static Term read(JsonObject term) {
      List<LabelRequirement> labels = new ArrayList<>();
      List<FieldRequirement> fields = new ArrayList<>();
      for (JsonObject expression : term.array("matchExpressions").objects()) {
        LabelRequirement requirement = requirement(expression);
        if (requirement == null) {
          return NOTHING;
        }
        labels.add(requirement);
      }
      for (JsonObject expression : term.array("matchFields").objects()) {
        LabelRequirement requirement = requirement(expression);
        if (requirement == null || requirement.values().size() != 1) {
          return NOTHING;
        }
        switch (requirement.operator()) {
          case IN, NOT_IN -> fields.add(FieldRequirement.of(requirement));
          default -> {
            return NOTHING;
          }
        }
      }
      return labels.isEmpty() && fields.isEmpty()
          ? NOTHING
          : new Term(LabelSelector.of(labels), List.copyOf(fields));
    }

    /** A requirement of either kind; null if it is malformed. */
    private static @Nullable LabelRequirement requirement(JsonObject expression) {
      List<String> values = expression.array("values").texts();
      LabelOperator operator =
          switch (expression.text("operator", "")) {
            case "In" -> values.isEmpty() ? null : LabelOperator.IN;
            case "NotIn" -> values.isEmpty() ? null : LabelOperator.NOT_IN;
            case "Exists" -> values.isEmpty() ? LabelOperator.EXISTS : null;
            case "DoesNotExist" -> values.isEmpty() ? LabelOperator.DOES_NOT_EXIST : null;
            case "Gt" -> values.size() == 1 ? LabelOperator.GREATER_THAN : null;
            case "Lt" -> values.size() == 1 ? LabelOperator.LESS_THAN : null;
            default -> null;
          };
      return operator == null
          ? null
          : new LabelRequirement(expression.text("key", ""), operator, values);
    }
  }

  /** A field of the node that must have a value, or must have another one. */
  public record FieldRequirement(String field, String value, boolean equal) {
    /** The only field of a node that selectors may name. */
    public static final String NAME = "metadata.name";

    private static FieldRequirement of(LabelRequirement requirement) {
      return new FieldRequirement(
          requirement.key(),
          requirement.values().getFirst(),
          requirement.operator() == LabelOperator.IN);
    }
  }
}
