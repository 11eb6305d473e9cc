package dev.berth.scheduler.profile;

import dev.berth.model.config.ConfigFields;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.Set;

/**
 * What upstream calls plugins and configuration files may name, but is part of the scheduler itself
 * here: the queue, preemption and binding.
 */
final class BuiltInPlugins {
  static final PluginDefinition SCHEDULING_GATES =
      PluginDefinition.of("SchedulingGates", ExtensionPoint.PRE_ENQUEUE);

  static final PluginDefinition PRIORITY_SORT =
      PluginDefinition.of("PrioritySort", ExtensionPoint.QUEUE_SORT);

  static final PluginDefinition DEFAULT_PREEMPTION =
      PluginDefinition.of(
              "DefaultPreemption", ExtensionPoint.POST_FILTER, ExtensionPoint.PRE_ENQUEUE)
          .arguments(
              new PluginArguments(
                  Set.of("minCandidateNodesPercentage", "minCandidateNodesAbsolute"),
                  BuiltInPlugins::checkPreemption,
                  args ->
                      PluginArguments.withDefault(
                          PluginArguments.withDefault(args, "minCandidateNodesPercentage", 10L),
                          "minCandidateNodesAbsolute",
                          100L)));

  static final PluginDefinition DEFAULT_BINDER =
      PluginDefinition.of("DefaultBinder", ExtensionPoint.BIND);

  private BuiltInPlugins() {}

  private static void checkPreemption(ConfigFields args) {
    long percentage = args.inRange("minCandidateNodesPercentage", 10, 0, 100);
    long absolute = args.inRange("minCandidateNodesAbsolute", 100, 0, Integer.MAX_VALUE);
    if (percentage == 0 && absolute == 0) {
      args.invalid(
          "minCandidateNodesPercentage",
          0L,
          "cannot be zero at the same time as minCandidateNodesAbsolute");
    }
  }
}
