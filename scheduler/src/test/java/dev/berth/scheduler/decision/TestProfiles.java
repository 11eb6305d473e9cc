package dev.berth.scheduler.decision;

import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Profile.WeightedScore;
import dev.berth.scheduler.plugin.node.ImageLocality;
import dev.berth.scheduler.plugin.node.NodeAffinityPlugin;
import dev.berth.scheduler.plugin.node.NodeDeclaredFeatures;
import dev.berth.scheduler.plugin.node.NodeName;
import dev.berth.scheduler.plugin.node.NodePorts;
import dev.berth.scheduler.plugin.node.NodeUnschedulable;
import dev.berth.scheduler.plugin.resources.NodeResourcesBalancedAllocation;
import dev.berth.scheduler.plugin.resources.NodeResourcesFit;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import java.util.ArrayList;
import java.util.List;

/** TestProfiles for tests. */
final class TestProfiles {
  private TestProfiles() {}

  /** The local plugins in upstream's order and with upstream's weights. */
  static Profile local() {
    TaintToleration taints = new TaintToleration(TolerationRules.STANDARD);
    NodeAffinityPlugin affinity = new NodeAffinityPlugin();
    NodeResourcesFit fit = new NodeResourcesFit();
    return new Profile(
        "default-scheduler",
        List.of(
            new NodeUnschedulable(TolerationRules.STANDARD),
            new NodeName(),
            taints,
            affinity,
            new NodePorts(),
            fit,
            new NodeDeclaredFeatures()),
        List.of(
            new WeightedScore(taints, 3),
            new WeightedScore(affinity, 2),
            new WeightedScore(fit, 1),
            new WeightedScore(new NodeResourcesBalancedAllocation(), 1),
            new WeightedScore(new ImageLocality(), 1)));
  }

  /** The same with the zone limit last. */
  static Profile withZoneLimit() {
    Profile local = local();
    List<FilterPlugin> filters = new ArrayList<>(local.filters());
    filters.add(new ZonePodLimit());
    return new Profile("zone-limit", filters, withZoneLimit(local.scores()));
  }

  /** The same with the zone limit first, so that its reasons come before those of local ones. */
  static Profile withZoneLimitFirst() {
    Profile local = local();
    List<FilterPlugin> filters = new ArrayList<>(local.filters());
    filters.addFirst(new ZonePodLimit());
    return new Profile("zone-limit-first", filters, withZoneLimit(local.scores()));
  }

  private static List<WeightedScore> withZoneLimit(List<WeightedScore> scores) {
    List<WeightedScore> more = new ArrayList<>(scores);
    more.add(new WeightedScore(new ZonePodLimit(), 2));
    return more;
  }
}
