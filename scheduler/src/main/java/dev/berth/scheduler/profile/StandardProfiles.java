package dev.berth.scheduler.profile;

import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.plugin.affinity.AffinityArgs;
import dev.berth.scheduler.plugin.affinity.InterPodAffinity;
import dev.berth.scheduler.plugin.node.ImageLocality;
import dev.berth.scheduler.plugin.node.NodeAffinity;
import dev.berth.scheduler.plugin.node.NodeName;
import dev.berth.scheduler.plugin.node.NodePorts;
import dev.berth.scheduler.plugin.node.NodeUnschedulable;
import dev.berth.scheduler.plugin.resources.NodeResourcesBalancedAllocation;
import dev.berth.scheduler.plugin.resources.NodeResourcesFit;
import dev.berth.scheduler.plugin.spread.PodTopologySpread;
import dev.berth.scheduler.plugin.spread.SpreadArgs;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import dev.berth.scheduler.plugin.volume.NodeVolumeLimits;
import dev.berth.scheduler.plugin.volume.VolumeBinding;
import dev.berth.scheduler.plugin.volume.VolumeRestrictions;
import dev.berth.scheduler.plugin.volume.VolumeZone;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Profiles made of the plugins that Berth has. */
public final class StandardProfiles {
  private StandardProfiles() {}

  public static Profiles make(SchedulerConfiguration configuration) {
    Set<String> missing = new TreeSet<>();
    Profiles profiles =
        Profiles.make(configuration, factories(configuration.tolerations()), missing);
    if (!missing.isEmpty()) {
      throw new IllegalStateException("Nobody makes the plugins " + missing);
    }
    return profiles;
  }

  private static Map<String, PluginFactory> factories(TolerationRules rules) {
    Map<String, PluginFactory> factories = new HashMap<>();
    factories.put(KnownPlugins.NODE_UNSCHEDULABLE, _ -> new NodeUnschedulable(rules));
    factories.put(KnownPlugins.NODE_NAME, _ -> new NodeName());
    factories.put(KnownPlugins.TAINT_TOLERATION, _ -> new TaintToleration(rules));
    factories.put(KnownPlugins.NODE_AFFINITY, NodeAffinity::new);
    factories.put(KnownPlugins.NODE_PORTS, _ -> new NodePorts());
    factories.put(KnownPlugins.NODE_RESOURCES_FIT, NodeResourcesFit::new);
    factories.put(
        KnownPlugins.NODE_RESOURCES_BALANCED_ALLOCATION, NodeResourcesBalancedAllocation::new);
    factories.put(KnownPlugins.IMAGE_LOCALITY, _ -> new ImageLocality());
    factories.put(KnownPlugins.VOLUME_RESTRICTIONS, _ -> new VolumeRestrictions());
    factories.put(KnownPlugins.NODE_VOLUME_LIMITS, _ -> new NodeVolumeLimits());
    factories.put(KnownPlugins.VOLUME_BINDING, VolumeBinding::new);
    factories.put(KnownPlugins.VOLUME_ZONE, _ -> new VolumeZone());
    factories.put(
        KnownPlugins.POD_TOPOLOGY_SPREAD,
        args -> new PodTopologySpread(SpreadArgs.read(args), rules));
    factories.put(
        KnownPlugins.INTER_POD_AFFINITY, args -> new InterPodAffinity(AffinityArgs.read(args)));
    return factories;
  }
}
