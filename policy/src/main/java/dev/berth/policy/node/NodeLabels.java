package dev.berth.policy.node;

import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.selector.Labels;
import dev.berth.model.tree.JsonObject;

/**
 * Keeps the older labels for a node's operating system and architecture equal to today's.
 *
 * <p>Today's label decides: the older one is added where it is missing and corrected where it
 * differs. A node without today's label is left as it is.
 */
public final class NodeLabels {
  private NodeLabels() {}

  /** The labels to set; empty if they are right. */
  public static JsonObject corrections(Labels labels) {
    return correct(
        correct(JsonObject.EMPTY, labels, WellKnownLabels.OS, WellKnownLabels.BETA_OS),
        labels,
        WellKnownLabels.ARCH,
        WellKnownLabels.BETA_ARCH);
  }

  private static JsonObject correct(
      JsonObject corrections, Labels labels, String today, String older) {
    String value = labels.get(today);
    return value == null || value.equals(labels.get(older))
        ? corrections
        : corrections.with(older, value);
  }
}
