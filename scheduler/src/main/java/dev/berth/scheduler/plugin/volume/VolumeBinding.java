package dev.berth.scheduler.plugin.volume;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.ClaimInfo;
import dev.berth.scheduler.cluster.volume.ClusterVolumes;
import dev.berth.scheduler.cluster.volume.PodClaim;
import dev.berth.scheduler.cluster.volume.StorageClassInfo;
import dev.berth.scheduler.cluster.volume.VolumeInfo;
import dev.berth.scheduler.cluster.volume.VolumePlan;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts pods where their volumes are or can be. A claim is bound; or is bound or has a volume made
 * when a pod that uses it is placed; or should have been bound already, and the pod waits for that.
 *
 * <p>What is to be written before a pod is bound is a {@link VolumePlan}; the caller carries it
 * out: {@code plan}, {@link ClusterVolumes#assume}, write, then ask for {@code progress} whenever a
 * claim or a volume changes, and bind the pod once it is done. When it fails, or takes too long,
 * {@link ClusterVolumes#forget}.
 */
public final class VolumeBinding implements FilterPlugin {
  public static final String NAME = "VolumeBinding";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(
              NAME,
              ExtensionPoint.PRE_FILTER,
              ExtensionPoint.FILTER,
              ExtensionPoint.RESERVE,
              ExtensionPoint.PRE_BIND,
              ExtensionPoint.PRE_SCORE,
              ExtensionPoint.SCORE)
          .arguments(
              new PluginArguments(
                  Set.of("bindTimeoutSeconds", "shape"),
                  args -> args.inRange("bindTimeoutSeconds", 600, 0, Long.MAX_VALUE),
                  args -> PluginArguments.withDefault(args, "bindTimeoutSeconds", 600L)))
          .factory((args, _) -> new VolumeBinding(args));

  /** Upstream's: enough for a volume that has to be made first. */
  private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(10);

  private final Duration bindTimeout;

  public VolumeBinding() {
    this.bindTimeout = USUAL_TIMEOUT;
  }

  /** Made from {@code VolumeBindingArgs} of a configuration file. */
  public VolumeBinding(JsonObject args) {
    this.bindTimeout =
        Duration.ofSeconds(args.integer("bindTimeoutSeconds").orElse(USUAL_TIMEOUT.toSeconds()));
  }

  /** How long claims may take to be bound before their pod is tried anew. */
  public Duration bindTimeout() {
    return bindTimeout;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_LABELS_CHANGED,
        ClusterEventKind.VOLUME_CHANGED,
        ClusterEventKind.CLAIM_CHANGED,
        ClusterEventKind.STORAGE_CLASS_CHANGED,
        ClusterEventKind.CSI_CHANGED);
  }

  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return VolumeHints.mayHelp(event, pod);
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  /** What a pod's claims ask for: a search, or the reason why there is nothing to search. */
  private sealed interface Prepared {}

  private record Search(ClaimSearch search) implements Prepared {}

  private record Hopeless(String message) implements Prepared {}

  private static @Nullable Prepared prepare(PodInfo pod, Cluster cluster) {
    List<PodClaim> claims = PodClaim.of(pod);
    if (claims.isEmpty()) {
      return null;
    }
    List<ClaimInfo> bound = new ArrayList<>();
    List<ClaimInfo> unbound = new ArrayList<>();
    boolean immediate = false;
    for (PodClaim claim : claims) {
      ClaimInfo info = cluster.volumes().claim(claim.name());
      String problem = problem(claim, info, pod);
      if (info == null || !problem.isEmpty()) {
        return new Hopeless(problem);
      }
      if (info.bound()) {
        bound.add(info);
      } else if (info.volume().isEmpty() && waitsForConsumer(info, cluster)) {
        unbound.add(info);
      } else {
        immediate = true;
      }
    }
    return immediate
        ? new Hopeless("pod has unbound immediate PersistentVolumeClaims")
        : new Search(new ClaimSearch(cluster, bound, unbound));
  }

  private static String problem(PodClaim claim, @Nullable ClaimInfo info, PodInfo pod) {
    String quoted = "persistentvolumeclaim \"" + claim.name().name() + "\"";
    if (info == null) {
      return claim.ephemeral()
          ? "waiting for ephemeral volume controller to create the " + quoted
          : claim.notFound();
    }
    if (info.lost()) {
      return quoted + " bound to non-existent persistentvolume \"" + info.volume() + "\"";
    }
    if (info.terminating()) {
      return quoted + " is being deleted";
    }
    return claim.ephemeral() && !info.controller().equals(pod.uid())
        ? "PVC %s was not created for pod %s (pod is not owner)".formatted(claim.name(), pod.name())
        : "";
  }

  private static boolean waitsForConsumer(ClaimInfo claim, Cluster cluster) {
    StorageClassInfo storageClass = cluster.volumes().storageClass(claim.storageClass());
    return storageClass != null && storageClass.waitsForConsumer();
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    return switch (prepare(pod, cluster)) {
      case null -> null;
      case Hopeless(String message) -> VolumeRefusal.ofPod(NAME, message).everywhere();
      case Search(ClaimSearch search) -> new Searching(search);
    };
  }

  private record Searching(ClaimSearch search) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return search.find(node) instanceof ClaimSearch.Found;
    }

    @Override
    public Refusal refusal(int node) {
      return switch (search.find(node)) {
        case ClaimSearch.Refused(List<String> messages) ->
            VolumeRefusal.unresolvable(NAME, messages);
        case ClaimSearch.Found _ ->
            throw new IllegalArgumentException("The node " + node + " is allowed");
      };
    }
  }

  /**
   * What is to be done about a pod's claims before it is bound to a node that this plugin allows.
   *
   * @throws IllegalStateException if it does not allow the node
   */
  public VolumePlan plan(PodInfo pod, int node, Cluster cluster) {
    String nodeName = cluster.node(node).name();
    Prepared prepared = prepare(pod, cluster);
    if (prepared == null) {
      return new VolumePlan(nodeName, List.of());
    }
    if (prepared instanceof Search(ClaimSearch search)
        && search.find(node)
            instanceof
            ClaimSearch.Found(List<ClaimSearch.Match> matches, List<ClaimInfo> provisions)) {
      List<VolumePlan.Write> writes = new ArrayList<>();
      for (ClaimSearch.Match match : matches) {
        writes.add(VolumePlan.BindVolume.of(match.volume(), match.claim()));
      }
      for (ClaimInfo claim : provisions) {
        writes.add(VolumePlan.SelectNode.of(claim, nodeName));
      }
      return new VolumePlan(nodeName, writes);
    }
    throw new IllegalStateException("The claims of " + pod.name() + " do not allow " + nodeName);
  }

  /** How far a plan has come whose writes were made. */
  public VolumeProgress progress(VolumePlan plan, Cluster cluster) {
    VolumeProgress progress = new VolumeProgress.Done();
    for (VolumePlan.Write write : plan.writes()) {
      switch (progress(write, plan.node(), cluster)) {
        case VolumeProgress.Failed failed -> {
          return failed;
        }
        case VolumeProgress.Waiting waiting -> progress = waiting;
        case VolumeProgress.Done _ -> {}
      }
    }
    return progress;
  }

  private static VolumeProgress progress(VolumePlan.Write write, String node, Cluster cluster) {
    ClusterVolumes volumes = cluster.volumes();
    ClaimInfo claim = volumes.seenClaim(write.claim());
    if (claim == null) {
      return failed("persistentvolumeclaim " + quoted(write.claim().name()) + " not found");
    }
    if (isAssumed(write, volumes)) {
      return new VolumeProgress.Waiting();
    }
    String name =
        switch (write) {
          case VolumePlan.BindVolume bind -> bind.volume();
          case VolumePlan.SelectNode _ -> claim.volume();
        };
    VolumeInfo volume = volumes.seenVolume(name);
    switch (write) {
      case VolumePlan.BindVolume _ -> {
        if (volume == null) {
          return failed("persistentvolume " + quoted(name) + " not found");
        }
        if (volume.claim() == null || volume.claimUid().isEmpty()) {
          return failed("ClaimRef got reset for pv " + quoted(name));
        }
      }
      case VolumePlan.SelectNode _ -> {
        if (!claim.selectedNode().equals(node)) {
          return failed("provisioning failed for PVC " + quoted(write.claim().name()));
        }
      }
    }
    int index = cluster.indexOf(node);
    if (index < 0) {
      return failed("node " + quoted(node) + " not found");
    }
    if (volume != null && !CandidateVolumes.isUsable(volume, cluster.node(index).view())) {
      return failed("pv " + quoted(name) + " node affinity doesn't match node " + quoted(node));
    }
    return claim.bound() && volume != null
        ? new VolumeProgress.Done()
        : new VolumeProgress.Waiting();
  }

  private static boolean isAssumed(VolumePlan.Write write, ClusterVolumes volumes) {
    return switch (write) {
      case VolumePlan.BindVolume bind -> volumes.isAssumedVolume(bind.volume());
      case VolumePlan.SelectNode(ObjectName claim, String _, var _) ->
          volumes.isAssumedClaim(claim);
    };
  }

  private static VolumeProgress failed(String message) {
    return new VolumeProgress.Failed(message);
  }

  private static String quoted(String name) {
    return "\"" + name + "\"";
  }
}
