package dev.berth.sim.explain;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * Changes that together let a pod in; they were tried.
 *
 * @param node where the pod would go
 */
public record Suggestion(List<Change> changes, String node) {
  public Suggestion {
    changes = List.copyOf(changes);
  }

  JsonObject toTree() {
    return new JsonObject.Builder()
        .put("changes", JsonArray.copyOf(changes.stream().map(Change::text).toList()))
        .put("node", node)
        .build();
  }
}
