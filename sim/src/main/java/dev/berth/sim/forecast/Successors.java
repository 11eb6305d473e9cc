package dev.berth.sim.forecast;

import dev.berth.model.tree.JsonObject;

/** Pods that come in the place of others: like them, and on no node. */
final class Successors {
  private Successors() {}

  static JsonObject of(JsonObject pod, String name, int number) {
    return pod.update(
            "metadata",
            metadata ->
                metadata
                    .with("name", name)
                    .with("uid", "forecast-" + number)
                    .without("deletionTimestamp")
                    .without("deletionGracePeriodSeconds"))
        .update("spec", spec -> spec.without("nodeName"))
        .with("status", JsonObject.of("phase", "Pending"));
  }

  /** {@code web-5d4-abcde} is followed by {@code web-5d4-new1}. */
  static String name(String name, int number) {
    int dash = name.lastIndexOf('-');
    return (dash < 0 ? name : name.substring(0, dash)) + "-new" + number;
  }
}
