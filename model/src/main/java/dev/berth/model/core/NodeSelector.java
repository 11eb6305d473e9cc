package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Which nodes are meant: those that one of the terms matches. */
public record NodeSelector(List<Term> terms) {

  public static NodeSelector read(JsonObject selector) {
    return new NodeSelector(Views.list(selector.array("nodeSelectorTerms"), Term::read));
  }

  /** Nodes that meet all of these requirements; without any, no node. */
  public record Term(List<Requirement> matchExpressions, List<Requirement> matchFields) {

    public static Term read(JsonObject term) {
      return new Term(
          Views.list(term.array("matchExpressions"), Requirement::read),
          Views.list(term.array("matchFields"), Requirement::read));
    }
  }

  /** A requirement on a node's label, or on a field of the node. */
  public record Requirement(String key, NodeSelectorOperator operator, List<String> values) {

    public static Requirement read(JsonObject requirement) {
      return new Requirement(
          requirement.text("key", ""),
          NodeSelectorOperator.of(requirement.text("operator", "")),
          List.copyOf(requirement.array("values").texts()));
    }
  }
}
