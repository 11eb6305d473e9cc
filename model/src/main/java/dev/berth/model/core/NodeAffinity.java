package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a pod must and would like to be on.
 *
 * @param required null if every node will do; a selector without terms means that none will
 */
public record NodeAffinity(@Nullable NodeSelector required, List<Preference> preferred) {
  public static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  public static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  public static NodeAffinity read(JsonObject nodeAffinity) {
    return new NodeAffinity(
        nodeAffinity.get(REQUIRED) instanceof JsonObject required
            ? NodeSelector.read(required)
            : null,
        Views.list(nodeAffinity.array(PREFERRED), Preference::read));
  }

  /** Nodes that are better than others by a weight. */
  public record Preference(long weight, NodeSelector.Term term) {

    public static Preference read(JsonObject preference) {
      return new Preference(
          preference.integer("weight").orElse(0),
          NodeSelector.Term.read(preference.object("preference")));
    }
  }
}
