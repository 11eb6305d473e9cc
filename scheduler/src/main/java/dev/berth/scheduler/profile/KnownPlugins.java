package dev.berth.scheduler.profile;

import static dev.berth.scheduler.profile.ExtensionPoint.BIND;
import static dev.berth.scheduler.profile.ExtensionPoint.FILTER;
import static dev.berth.scheduler.profile.ExtensionPoint.POST_FILTER;
import static dev.berth.scheduler.profile.ExtensionPoint.PRE_BIND;
import static dev.berth.scheduler.profile.ExtensionPoint.PRE_ENQUEUE;
import static dev.berth.scheduler.profile.ExtensionPoint.PRE_FILTER;
import static dev.berth.scheduler.profile.ExtensionPoint.PRE_SCORE;
import static dev.berth.scheduler.profile.ExtensionPoint.QUEUE_SORT;
import static dev.berth.scheduler.profile.ExtensionPoint.RESERVE;
import static dev.berth.scheduler.profile.ExtensionPoint.SCORE;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The plugins that configuration files may name: upstream's, in the order of its default. */
public final class KnownPlugins {
  public static final String SCHEDULING_GATES = "SchedulingGates";
  public static final String PRIORITY_SORT = "PrioritySort";
  public static final String NODE_UNSCHEDULABLE = "NodeUnschedulable";
  public static final String NODE_NAME = "NodeName";
  public static final String TAINT_TOLERATION = "TaintToleration";
  public static final String NODE_AFFINITY = "NodeAffinity";
  public static final String NODE_PORTS = "NodePorts";
  public static final String NODE_RESOURCES_FIT = "NodeResourcesFit";
  public static final String VOLUME_RESTRICTIONS = "VolumeRestrictions";
  public static final String NODE_VOLUME_LIMITS = "NodeVolumeLimits";
  public static final String VOLUME_BINDING = "VolumeBinding";
  public static final String VOLUME_ZONE = "VolumeZone";
  public static final String POD_TOPOLOGY_SPREAD = "PodTopologySpread";
  public static final String INTER_POD_AFFINITY = "InterPodAffinity";
  public static final String DEFAULT_PREEMPTION = "DefaultPreemption";
  public static final String NODE_RESOURCES_BALANCED_ALLOCATION = "NodeResourcesBalancedAllocation";
  public static final String IMAGE_LOCALITY = "ImageLocality";
  public static final String DEFAULT_BINDER = "DefaultBinder";

  private static final List<KnownPlugin> ALL =
      List.of(
          new KnownPlugin(SCHEDULING_GATES, 0, points(PRE_ENQUEUE)),
          new KnownPlugin(PRIORITY_SORT, 0, points(QUEUE_SORT)),
          new KnownPlugin(NODE_UNSCHEDULABLE, 0, points(FILTER)),
          new KnownPlugin(NODE_NAME, 0, points(FILTER)),
          new KnownPlugin(TAINT_TOLERATION, 3, points(FILTER, PRE_SCORE, SCORE)),
          new KnownPlugin(NODE_AFFINITY, 2, points(PRE_FILTER, FILTER, PRE_SCORE, SCORE)),
          new KnownPlugin(NODE_PORTS, 0, points(PRE_FILTER, FILTER)),
          new KnownPlugin(NODE_RESOURCES_FIT, 1, points(PRE_FILTER, FILTER, PRE_SCORE, SCORE)),
          new KnownPlugin(VOLUME_RESTRICTIONS, 0, points(PRE_FILTER, FILTER)),
          new KnownPlugin(NODE_VOLUME_LIMITS, 0, points(PRE_FILTER, FILTER)),
          new KnownPlugin(
              VOLUME_BINDING, 0, points(PRE_FILTER, FILTER, RESERVE, PRE_BIND, PRE_SCORE, SCORE)),
          new KnownPlugin(VOLUME_ZONE, 0, points(PRE_FILTER, FILTER)),
          new KnownPlugin(POD_TOPOLOGY_SPREAD, 2, points(PRE_FILTER, FILTER, PRE_SCORE, SCORE)),
          new KnownPlugin(INTER_POD_AFFINITY, 2, points(PRE_FILTER, FILTER, PRE_SCORE, SCORE)),
          new KnownPlugin(DEFAULT_PREEMPTION, 0, points(POST_FILTER, PRE_ENQUEUE)),
          new KnownPlugin(NODE_RESOURCES_BALANCED_ALLOCATION, 1, points(PRE_SCORE, SCORE)),
          new KnownPlugin(IMAGE_LOCALITY, 1, points(SCORE)),
          new KnownPlugin(DEFAULT_BINDER, 0, points(BIND)));

  private static final Map<String, KnownPlugin> BY_NAME =
      ALL.stream().collect(Collectors.toUnmodifiableMap(KnownPlugin::name, Function.identity()));

  private KnownPlugins() {}

  /**
   * A plugin that files may name.
   *
   * @param weight of its scores by default; 0 if none is set, which then counts as 1
   */
  public record KnownPlugin(String name, int weight, Set<ExtensionPoint> points) {}

  private static Set<ExtensionPoint> points(ExtensionPoint first, ExtensionPoint... others) {
    return Set.copyOf(EnumSet.of(first, others));
  }

  /** All of them; they are all on by default, in this order. */
  public static List<KnownPlugin> all() {
    return ALL;
  }

  public static Optional<KnownPlugin> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  public static List<String> names() {
    return ALL.stream().map(KnownPlugin::name).toList();
  }
}
