package dev.berth.sim.explain;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.Taint;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A change that may let a pod in. */
public sealed interface Change {

  /** What to do, in words that begin with a verb. */
  String text();

  /** What it has in common with the same change elsewhere: changes of one kind are shown once. */
  String kind();

  void apply(ChangeTarget target);

  /** The pod gets tolerations for these taints. */
  record Tolerate(List<Taint> taints) implements Change {
    @Override
    public String text() {
      return "tolerate " + taints.stream().map(Taint::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String kind() {
      return text();
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changePod(
          spec(spec -> {
            JsonArray tolerations = spec.array("tolerations");
            for (Taint taint : taints) {
              Toleration toleration =
                  taint.value().isEmpty()
                      ? Toleration.exists(taint.key(), taint.effect())
                      : Toleration.equal(taint.key(), taint.value(), taint.effect());
              tolerations = tolerations.append(toleration.toTree());
            }
            return spec.with("tolerations", tolerations);
          }));
    }
  }

  /** A node may get pods again. */
  record Uncordon(String node) implements Change {
    @Override
    public String text() {
      return "uncordon " + node;
    }

    @Override
    public String kind() {
      return "uncordon";
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changeNode(
          node,
          spec(spec ->
              without(spec.without("unschedulable"), List.of(WellKnownTaints.UNSCHEDULABLE))));
    }
  }

  /** A node recovers from what these taints stand for. */
  record Heal(String node, List<String> taintKeys) implements Change {
    @Override
    public String text() {
      return "bring %s back (%s)".formatted(node, String.join(", ", taintKeys));
    }

    @Override
    public String kind() {
      return "heal " + String.join(", ", taintKeys);
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changeNode(node, spec(spec -> without(spec, taintKeys)));
    }
  }

  /**
   * Other pods leave a node.
   *
   * @param what what that gives, in words that begin with a verb
   */
  record RemovePods(String node, String what, String kind, List<ObjectName> pods)
      implements Change {
    @Override
    public String text() {
      return what
          + ", such as by moving "
          + pods.stream().map(ObjectName::toString).collect(Collectors.joining(", "));
    }

    @Override
    public void apply(ChangeTarget target) {
      pods.forEach(target::removePod);
    }
  }

  /**
   * A node gets or loses a label.
   *
   * @param value null to take it off
   */
  record LabelNode(String node, String key, @Nullable String value) implements Change {
    @Override
    public String text() {
      return value == null
          ? "take the label %s off %s".formatted(key, node)
          : "label %s with %s=%s".formatted(node, key, value);
    }

    @Override
    public String kind() {
      return "label " + key + "=" + value;
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changeNode(
          node,
          tree ->
              tree.update(
                  "metadata",
                  metadata ->
                      metadata.update(
                          "labels",
                          labels ->
                              value == null ? labels.without(key) : labels.with(key, value))));
    }
  }

  /**
   * The pod no longer asks for nodes with certain labels: by its selector, its affinity or both.
   *
   * @param selector what the selector asks for; empty if that stays
   * @param affinity whether the affinity goes
   */
  record DropNodeSelection(Optional<String> selector, boolean affinity) implements Change {
    @Override
    public String text() {
      return "drop the pod's "
          + selector.map(labels -> "node selector " + labels).orElse("")
          + (selector.isPresent() && affinity ? " and " : "")
          + (affinity ? "required node affinity" : "");
    }

    @Override
    public String kind() {
      return text();
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changePod(
          spec(spec -> {
            JsonObject kept = selector.isPresent() ? spec.without("nodeSelector") : spec;
            return affinity
                ? kept.update(
                    "affinity",
                    all -> all.update("nodeAffinity", node -> node.without(NodeAffinity.REQUIRED)))
                : kept;
          }));
    }
  }

  /** The pod may be spread less evenly. */
  record RaiseSkew(String topologyKey, long from, long to) implements Change {
    @Override
    public String text() {
      return "raise maxSkew over %s from %d to %d".formatted(topologyKey, from, to);
    }

    @Override
    public String kind() {
      return "skew " + topologyKey;
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changePod(
          spec(spec ->
              spec.with(
                  "topologySpreadConstraints",
                  spec.array("topologySpreadConstraints")
                      .mapObjects(constraint ->
                          constraint.text("topologyKey", "").equals(topologyKey)
                                  && constraint.integer("maxSkew").orElse(1) < to
                              ? constraint.with("maxSkew", to)
                              : constraint))));
    }
  }

  /**
   * The pod no longer insists on being near others, or away from them.
   *
   * @param field {@code podAffinity} or {@code podAntiAffinity}
   * @param index of the term among those that are required
   */
  record DropAffinity(String field, int index, String what) implements Change {
    @Override
    public String text() {
      return "drop the required " + what;
    }

    @Override
    public String kind() {
      return text();
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changePod(
          spec(spec ->
              spec.update(
                  "affinity",
                  affinity ->
                      affinity.update(
                          field,
                          terms -> {
                            JsonArray required = terms.array(NodeAffinity.REQUIRED);
                            return required.size() <= index
                                ? terms
                                : terms.with(NodeAffinity.REQUIRED, required.without(index));
                          }))));
    }
  }

  /** The pod requests less; amounts by resource, as {@link Amounts} counts them. */
  record RequestLess(SortedMap<String, Long> fewer, SortedMap<String, Long> rest)
      implements Change {
    @Override
    public String text() {
      return "request at most "
          + rest.entrySet().stream()
              .map(each -> Amounts.withName(each.getKey(), each.getValue()))
              .collect(Collectors.joining(" and "));
    }

    @Override
    public String kind() {
      return "request less " + String.join(" and ", rest.keySet());
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changePod(
          spec(spec -> {
            JsonObject changed = spec;
            for (var each : fewer.entrySet()) {
              changed = Requests.lower(changed, each.getKey(), each.getValue());
            }
            return changed;
          }));
    }
  }

  /** There is one more node. */
  record AddNode(JsonObject node, String text) implements Change {
    @Override
    public String kind() {
      return "add node";
    }

    @Override
    public void apply(ChangeTarget target) {
      target.addNode(node);
    }
  }

  /** The pod may be scheduled. */
  record RemoveGates(List<String> gates) implements Change {
    @Override
    public String text() {
      return "remove the scheduling gate"
          + (gates.size() == 1 ? " " : "s ")
          + String.join(", ", gates);
    }

    @Override
    public String kind() {
      return "gates";
    }

    @Override
    public void apply(ChangeTarget target) {
      target.changePod(spec(spec -> spec.without("schedulingGates")));
    }
  }

  private static UnaryOperator<JsonObject> spec(UnaryOperator<JsonObject> change) {
    return tree -> tree.update("spec", change);
  }

  private static JsonObject without(JsonObject spec, List<String> taintKeys) {
    return spec.with(
        "taints",
        JsonArray.copyOf(
            spec.array("taints").objects().stream()
                .filter(taint -> !taintKeys.contains(taint.text("key", "")))
                .toList()));
  }
}
