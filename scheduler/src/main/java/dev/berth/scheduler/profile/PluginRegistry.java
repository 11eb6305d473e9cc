package dev.berth.scheduler.profile;

import dev.berth.scheduler.plugin.affinity.InterPodAffinity;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import dev.berth.scheduler.plugin.dynamicresources.DynamicResources;
import dev.berth.scheduler.plugin.node.ImageLocality;
import dev.berth.scheduler.plugin.node.NodeAffinityPlugin;
import dev.berth.scheduler.plugin.node.NodeDeclaredFeatures;
import dev.berth.scheduler.plugin.node.NodeName;
import dev.berth.scheduler.plugin.node.NodePorts;
import dev.berth.scheduler.plugin.node.NodeUnschedulable;
import dev.berth.scheduler.plugin.resources.NodeResourcesBalancedAllocation;
import dev.berth.scheduler.plugin.resources.NodeResourcesFit;
import dev.berth.scheduler.plugin.spread.PodTopologySpread;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import dev.berth.scheduler.plugin.volume.NodeVolumeLimits;
import dev.berth.scheduler.plugin.volume.VolumeBinding;
import dev.berth.scheduler.plugin.volume.VolumeRestrictions;
import dev.berth.scheduler.plugin.volume.VolumeZone;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The plugins that configuration files may name. All of them are on by default, in this order,
 * which is upstream's.
 */
final class PluginRegistry {
  private static final List<PluginDefinition> ALL =
      List.of(
          BuiltInPlugins.SCHEDULING_GATES,
          BuiltInPlugins.PRIORITY_SORT,
          NodeUnschedulable.DEFINITION,
          NodeName.DEFINITION,
          TaintToleration.DEFINITION,
          NodeAffinityPlugin.DEFINITION,
          NodePorts.DEFINITION,
          NodeResourcesFit.DEFINITION,
          VolumeRestrictions.DEFINITION,
          NodeVolumeLimits.DEFINITION,
          VolumeBinding.DEFINITION,
          VolumeZone.DEFINITION,
          PodTopologySpread.DEFINITION,
          InterPodAffinity.DEFINITION,
          DynamicResources.DEFINITION,
          BuiltInPlugins.DEFAULT_PREEMPTION,
          NodeResourcesBalancedAllocation.DEFINITION,
          ImageLocality.DEFINITION,
          BuiltInPlugins.DEFAULT_BINDER,
          NodeDeclaredFeatures.DEFINITION);

  private static final Map<String, PluginDefinition> BY_NAME =
      ALL.stream()
          .collect(Collectors.toUnmodifiableMap(PluginDefinition::name, Function.identity()));

  private PluginRegistry() {}

  static List<PluginDefinition> all() {
    return ALL;
  }

  static Optional<PluginDefinition> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  static List<String> names() {
    return ALL.stream().map(PluginDefinition::name).toList();
  }
}
