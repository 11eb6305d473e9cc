package dev.berth.scheduler.plugin.dynamicresources;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.allocation.AlternativeRank;
import dev.berth.policy.allocation.DeviceAllocator;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.device.ClusterDevices;
import dev.berth.scheduler.cluster.device.DevicePlan;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts pods where devices can be had for their claims.
 *
 * <p>A pod whose claims are not all there waits without being tried. What is to be written before a
 * pod is bound is a {@link DevicePlan}; the caller carries it out: {@code plan}, {@link
 * ClusterDevices#assume}, write, wait until the devices are ready, and bind the pod. When it fails,
 * {@link ClusterDevices#forget}. Where no node will do, {@link #toDeallocate} names a claim whose
 * devices are in the way.
 */
public final class DynamicResources implements FilterPlugin, ScorePlugin {
  public static final String NAME = "DynamicResources";

  private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(10);

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(
              NAME,
              ExtensionPoint.PRE_ENQUEUE,
              ExtensionPoint.PRE_FILTER,
              ExtensionPoint.FILTER,
              ExtensionPoint.POST_FILTER,
              ExtensionPoint.SCORE,
              ExtensionPoint.RESERVE,
              ExtensionPoint.PRE_BIND)
          .weight(2)
          .arguments(
              new PluginArguments(
                  Set.of("filterTimeout", "bindingTimeout"),
                  DynamicResources::check,
                  args ->
                      PluginArguments.withDefault(
                          PluginArguments.withDefault(args, "filterTimeout", "10s"),
                          "bindingTimeout",
                          "10m0s")))
          .factory((args, _) -> new DynamicResources(args));

  /** What is worked out for a node only to be compared needs no identity. */
  private static String noShareId() {
    return "";
  }

  private final Duration bindingTimeout;

  public DynamicResources() {
    this.bindingTimeout = USUAL_TIMEOUT;
  }

  /** Made from {@code DynamicResourcesArgs} of a configuration file. */
  public DynamicResources(JsonObject args) {
    Duration given = GoDuration.parse(args.text("bindingTimeout", ""));
    this.bindingTimeout = given == null ? USUAL_TIMEOUT : given;
  }

  private static void check(ConfigFields args) {
    Duration binding = GoDuration.parse(args.text("bindingTimeout", "10m"));
    if (binding == null || binding.compareTo(Duration.ofSeconds(1)) < 0) {
      args.invalid("bindingTimeout", args.text("bindingTimeout", ""), "must be at least 1 second");
    }
    if (GoDuration.parse(args.text("filterTimeout", "10s")) == null) {
      args.invalid("filterTimeout", args.text("filterTimeout", ""), "must be zero or positive");
    }
  }

  /** How long devices may take to be ready before their claim is allocated anew. */
  public Duration bindingTimeout() {
    return bindingTimeout;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public boolean holds(PodInfo pod, Cluster cluster) {
    return PodDevices.find(pod, cluster) instanceof PodDevices.NotYet;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_LABELS_CHANGED,
        ClusterEventKind.NODE_ALLOCATABLE_CHANGED,
        ClusterEventKind.RESOURCE_CLAIM_CHANGED,
        ClusterEventKind.WAITING_POD_CHANGED,
        ClusterEventKind.DEVICE_CLASS_CHANGED,
        ClusterEventKind.RESOURCE_SLICE_CHANGED);
  }

  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return switch (event) {
      case ClusterEvent.DeviceClaimEvent claim -> mayHelp(claim, pod, cluster);
      case ClusterEvent.PodEvent(ClusterEventKind _, PodInfo _, PodInfo after) ->
          after != null && after.isSamePodAs(pod) && !holds(after, cluster);
      case ClusterEvent.NodeEvent _, ClusterEvent.ObjectEvent _ -> true;
    };
  }

  /** Another's claim helps when it gives back devices; a pod's own, whenever its status changes. */
  private static boolean mayHelp(
      ClusterEvent.DeviceClaimEvent event, PodInfo pod, Cluster cluster) {
    if (!(PodDevices.find(pod, cluster) instanceof PodDevices.Claims(var all, var _))) {
      return false;
    }
    ResourceClaimView before = event.before();
    ResourceClaimView after = event.after();
    if (before != null
        && before.allocation() != null
        && (after == null || after.allocation() == null)) {
      return true;
    }
    return after != null
        && all.stream().anyMatch(claim -> claim.uid().equals(after.uid()))
        && (before == null
            || !before.tree().object("status").equals(after.tree().object("status")));
  }

  private static DeviceAllocator allocator(Cluster cluster, Supplier<String> shareIds) {
    ClusterDevices devices = cluster.devices();
    return new DeviceAllocator(
        devices.inventory(),
        devices.allocated(),
        devices::deviceClass,
        devices.expressions(),
        shareIds);
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    return switch (PodDevices.prepare(pod, cluster)) {
      case PodDevices.None _ -> null;
      case PodDevices.NotYet(String message) -> new DeviceRefusal(message, true).everywhere();
      case PodDevices.Claims claims ->
          new DeviceFilter(cluster, pod, claims, allocator(cluster, DynamicResources::noShareId));
    };
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    if (!(PodDevices.prepare(pod, cluster) instanceof PodDevices.Claims claims)
        || claims.all().stream().noneMatch(AlternativeRank::matters)) {
      return null;
    }
    DeviceFilter search =
        new DeviceFilter(cluster, pod, claims, allocator(cluster, DynamicResources::noShareId));
    return new NodeScore() {
      @Override
      public long score(int node) {
        return rank(search, node);
      }

      @Override
      public Normalization normalization() {
        return Normalization.SCALED;
      }
    };
  }

  private static long rank(DeviceFilter search, int node) {
    if (search.unallocated().isEmpty()
        || !(search.outcome(node)
            instanceof DeviceFilter.Outcome.Found(List<JsonObject> allocations, var _))) {
      return 0;
    }
    long sum = 0;
    int next = 0;
    for (ResourceClaimView claim : search.claims().all()) {
      JsonObject allocation = claim.allocation();
      if (allocation == null) {
        allocation = allocations.get(next);
        next++;
      }
      sum += AlternativeRank.of(claim, allocation);
    }
    return sum;
  }

  /**
   * What is to be done about a pod's claims before it is bound to a node that this plugin allows.
   *
   * @param shareIds makes the identity of each use of a device that is shared
   * @throws IllegalStateException if it does not allow the node
   */
  public DevicePlan plan(PodInfo pod, int node, Cluster cluster, Supplier<String> shareIds) {
    String nodeName = cluster.node(node).name();
    PodDevices prepared = PodDevices.prepare(pod, cluster);
    if (prepared instanceof PodDevices.None) {
      return new DevicePlan(nodeName, List.of(), List.of(), null);
    }
    if (prepared instanceof PodDevices.Claims claims
        && new DeviceFilter(cluster, pod, claims, allocator(cluster, shareIds)).outcome(node)
            instanceof DeviceFilter.Outcome.Found(List<JsonObject> allocations, var extended)) {
      List<ObjectName> names = claims.all().stream().map(ResourceClaimView::name).toList();
      List<DevicePlan.Write> writes = new ArrayList<>();
      int next = 0;
      for (ResourceClaimView claim : claims.all()) {
        if (claim.allocation() == null) {
          writes.add(new DevicePlan.Write(claim, allocations.get(next)));
          next++;
        } else if (!claim.isReservedFor(pod.uid())) {
          writes.add(new DevicePlan.Write(claim, null));
        }
      }
      return new DevicePlan(
          nodeName,
          names,
          writes,
          extended == null
              ? null
              : new DevicePlan.Extended(pod.uid(), extended, allocations.get(next)));
    }
    throw new IllegalStateException("The claims of " + pod.name() + " do not allow " + nodeName);
  }

  /**
   * A claim of a pod that no node will do for, whose devices are in the way: they cannot be used on
   * some node, or will not be ready, and nobody but the pod may use them. Upstream's PostFilter.
   */
  public Optional<ResourceClaimView> toDeallocate(PodInfo pod, Cluster cluster) {
    return PodDevices.find(pod, cluster) instanceof PodDevices.Claims(var all, var _)
        ? all.stream().filter(claim -> isInTheWay(claim, pod, cluster)).findFirst()
        : Optional.empty();
  }

  private static boolean isInTheWay(ResourceClaimView claim, PodInfo pod, Cluster cluster) {
    JsonObject allocation = claim.allocation();
    boolean isOnlyForPod =
        claim.reservedFor().stream().allMatch(consumer -> consumer.uid().equals(pod.uid()));
    if (allocation == null || !isOnlyForPod) {
      return false;
    }
    BindingConditions conditions = BindingConditions.of(claim);
    if (conditions instanceof BindingConditions.Failed
        || (conditions instanceof BindingConditions.Pending
            && cluster.devices().isOverdue(claim.uid()))) {
      return true;
    }
    NodeSelector nodes = NodeSelector.read(allocation.object("nodeSelector"));
    return allocation.has("nodeSelector")
        && IntStream.range(0, cluster.limit())
            .filter(cluster::exists)
            .anyMatch(node -> !matches(nodes, cluster.node(node).view()));
  }

  private static boolean matches(NodeSelector nodes, NodeView node) {
    return NodeSelection.matches(nodes, node);
  }

  /** Whether a pod claims devices, by name or by extended resources. */
  public static boolean concerns(PodInfo pod, Cluster cluster) {
    return !pod.resourceClaims().isEmpty()
        || !cluster.devices().extendedResources(pod, cluster.resources()).isEmpty();
  }
}
