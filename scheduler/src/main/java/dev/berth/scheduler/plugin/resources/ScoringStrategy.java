package dev.berth.scheduler.plugin.resources;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.List;

/** How good it is that of a node's capacity so much would be requested. */
sealed interface ScoringStrategy {

  List<ResourceWeight> resources();

  /**
   * The score of one resource.
   *
   * @param capacity not zero
   */
  long score(long requested, long capacity);

  /** The score of a node, from the weighted sum of its resources' scores. */
  default long mean(long sum, long weights) {
    return weights == 0 ? 0 : sum / weights;
  }

  /** Whether a resource that scores nothing counts in the mean. */
  default boolean countsZero() {
    return true;
  }

  static ScoringStrategy read(JsonObject strategy) {
    List<ResourceWeight> resources = ResourceWeight.read(strategy.array("resources").objects());
    String type = strategy.text("type", "LeastAllocated");
    return switch (type) {
      case "LeastAllocated" -> new LeastAllocated(resources);
      case "MostAllocated" -> new MostAllocated(resources);
      case "RequestedToCapacityRatio" ->
          new RequestedToCapacityRatio(
              resources,
              UtilizationShape.read(
                  strategy.object("requestedToCapacityRatio").array("shape").objects()));
      default ->
          throw new IllegalArgumentException(
              "scoringStrategy.type is LeastAllocated, MostAllocated or"
                  + " RequestedToCapacityRatio, not "
                  + type);
    };
  }

  /** The more is left, the better: pods are spread. */
  record LeastAllocated(List<ResourceWeight> resources) implements ScoringStrategy {
    @Override
    public long score(long requested, long capacity) {
      return requested > capacity ? 0 : (capacity - requested) * ScorePlugin.MAX / capacity;
    }
  }

  /** The less is left, the better: pods are packed. */
  record MostAllocated(List<ResourceWeight> resources) implements ScoringStrategy {
    @Override
    public long score(long requested, long capacity) {
      return Math.min(requested, capacity) * ScorePlugin.MAX / capacity;
    }
  }

  /** A curve says how good a utilization is. */
  record RequestedToCapacityRatio(List<ResourceWeight> resources, UtilizationShape shape)
      implements ScoringStrategy {
    @Override
    public long score(long requested, long capacity) {
      return shape.score(Math.min(requested, capacity) * UtilizationShape.FULL / capacity);
    }

    @Override
    public long mean(long sum, long weights) {
      return weights == 0 ? 0 : Math.round((double) sum / weights);
    }

    @Override
    public boolean countsZero() {
      return false;
    }
  }
}
