package dev.berth.scheduler.plugin.affinity;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.tree.JsonObject;

/**
 * The arguments of InterPodAffinity.
 *
 * @param hardPodAffinityWeight how much it counts that a pod on a node requires to be near the new
 *     one; 0 to 100
 * @param ignorePreferredTermsOfExistingPods whether nothing is scored for a pod that prefers
 *     nothing itself
 */
public record AffinityArgs(long hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods) {
  public static final AffinityArgs DEFAULT = new AffinityArgs(1, false);

  static void check(ConfigFields args) {
    args.inRange("hardPodAffinityWeight", DEFAULT.hardPodAffinityWeight, 0, 100);
    args.flag("ignorePreferredTermsOfExistingPods", false);
  }

  /** Reads {@code InterPodAffinityArgs} of a configuration file. */
  public static AffinityArgs read(JsonObject args) {
    return new AffinityArgs(
        args.integer("hardPodAffinityWeight").orElse(DEFAULT.hardPodAffinityWeight),
        args.flag("ignorePreferredTermsOfExistingPods", false));
  }
}
