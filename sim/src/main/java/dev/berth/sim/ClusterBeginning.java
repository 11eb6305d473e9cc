package dev.berth.sim;

import dev.berth.model.tree.JsonObject;
import dev.berth.time.VirtualTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * When a cluster on virtual time begins, and what is in it then.
 *
 * @param objects as they are stored, by resource, such as {@code deployments.apps}
 */
public record ClusterBeginning(Instant at, Map<String, List<JsonObject>> objects) {
  public static final ClusterBeginning EMPTY = new ClusterBeginning(VirtualTime.EPOCH, Map.of());

  public ClusterBeginning {
    objects = Map.copyOf(objects);
  }
}
