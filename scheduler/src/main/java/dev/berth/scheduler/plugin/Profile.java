package dev.berth.scheduler.plugin;

import java.util.List;

/**
 * How the pods of one scheduler name are placed.
 *
 * @param filters in the order in which they are asked; the first that refuses a node gives the
 *     reason
 */
public record Profile(
    String schedulerName, List<FilterPlugin> filters, List<WeightedScore> scores) {

  public Profile {
    filters = List.copyOf(filters);
    scores = List.copyOf(scores);
  }

  /** A score, and the weight that it is multiplied by. */
  public record WeightedScore(ScorePlugin plugin, long weight) {}
}
