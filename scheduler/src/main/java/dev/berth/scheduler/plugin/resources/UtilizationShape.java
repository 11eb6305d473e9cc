package dev.berth.scheduler.plugin.resources;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.ArrayList;
import java.util.List;

/** A curve of straight pieces from a node's utilization in percent to its score. */
record UtilizationShape(List<Point> points) {
  static final long FULL = 100;

  /** The best score in a configuration file. */
  private static final long BEST_WRITTEN = 10;

  /** Score is on the scale of all scores. */
  record Point(long utilization, long score) {}

  static UtilizationShape read(List<JsonObject> shape) {
    List<Point> points = new ArrayList<>();
    long last = -1;
    for (JsonObject point : shape) {
      long utilization = point.integer("utilization").orElse(0);
      long score = point.integer("score").orElse(0);
      if (utilization <= last || utilization > FULL) {
        throw new IllegalArgumentException(
            "requestedToCapacityRatio.shape: utilizations rise from 0 to 100, found "
                + utilization
                + (last < 0 ? "" : " after " + last));
      }
      if (score < 0 || score > BEST_WRITTEN) {
        throw new IllegalArgumentException(
            "requestedToCapacityRatio.shape: scores are from 0 to 10, found " + score);
      }
      points.add(new Point(utilization, score * (ScorePlugin.MAX / BEST_WRITTEN)));
      last = utilization;
    }
    if (points.isEmpty()) {
      throw new IllegalArgumentException("requestedToCapacityRatio.shape: at least one point");
    }
    return new UtilizationShape(List.copyOf(points));
  }

  long score(long utilization) {
    for (int i = 0; i < points.size(); i++) {
      if (utilization <= points.get(i).utilization) {
        return i == 0
            ? points.getFirst().score
            : between(points.get(i - 1), points.get(i), utilization);
      }
    }
    return points.getLast().score;
  }

  private static long between(Point from, Point to, long utilization) {
    return from.score
        + (to.score - from.score)
            * (utilization - from.utilization)
            / (to.utilization - from.utilization);
  }
}
