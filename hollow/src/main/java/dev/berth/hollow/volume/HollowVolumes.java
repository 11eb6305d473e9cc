package dev.berth.hollow.volume;

import dev.berth.hollow.node.HollowNode;
import dev.berth.hollow.node.VolumesInUse;
import dev.berth.hollow.pod.HollowPod;
import dev.berth.hollow.pod.PodVolumes;
import dev.berth.hollow.pod.PodsByNode;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.VolumeResolver;
import dev.berth.policy.attachment.VolumeResolver.Resolution;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What nodes do about their pods' volumes, before they start a pod and after it has ended.
 *
 * <ol>
 *   <li>A pod waits until all its claims are bound.
 *   <li>Its node then reports the volumes that have to be attached ({@code status.volumesInUse}),
 *       and waits until they are ({@code status.volumesAttached}). It believes only what was
 *       written after its report: then nobody detaches a volume that it is about to use.
 *   <li>Local volumes are there at once.
 *   <li>When no pod uses a volume any more, its node reports that. A silent node reports nothing,
 *       so that the server shows what it used when it last reported.
 * </ol>
 *
 * <p>Belongs to the loop of the hollow nodes.
 */
public final class HollowVolumes implements PodVolumes, VolumesInUse {
  private final VolumeResolver known = new VolumeResolver();
  private final PodsByNode pods;
  private final Listener listener;
  private final Map<HollowNode, VolumesOfNode> byNode = new HashMap<>();

  /** Pods whose claims are not bound yet. */
  private final Map<ObjectName, Set<HollowPod>> waiting = new HashMap<>();

  private boolean isSynced;

  /** Learns what is to be done. */
  public interface Listener {
    /** The node has to report which volumes it uses. */
    void report(HollowNode node);

    /** The pod has all its volumes. */
    void ready(HollowPod pod);
  }

  public HollowVolumes(PodsByNode pods, Listener listener) {
    this.pods = pods;
    this.listener = listener;
  }

  private VolumesOfNode volumes(HollowNode node) {
    return byNode.computeIfAbsent(node, key -> new VolumesOfNode(pods.of(key)));
  }

  @Override
  public Optional<List<String>> toReport(HollowNode node) {
    return isSynced && !volumes(node).isReported()
        ? Optional.of(volumes(node).inUse())
        : Optional.empty();
  }

  @Override
  public void reporting(HollowNode node, List<String> inUse) {
    volumes(node).reporting(inUse);
  }

  @Override
  public void reported(HollowNode node, List<String> inUse) {
    volumes(node).reported(inUse);
  }

  /** The server shows another node of this name, which has not reported anything. */
  public void forgetReports(HollowNode node) {
    volumes(node).forgetReports();
  }

  /** Everything that was on the server is known: from now on nodes report what they use. */
  public void synced(HollowNode[] nodes) {
    isSynced = true;
    for (HollowNode node : nodes) {
      report(node);
    }
  }

  public void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.claimChanged(before, after);
    if (after != null) {
      mountUsersOf(ObjectName.of(after));
    }
  }

  public void volumeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.volumeChanged(before, after);
    if (after != null) {
      mountUsersOf(VolumeResolver.claimOf(after));
    }
  }

  public void driverChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.driverChanged(before, after);
  }

  private void mountUsersOf(ObjectName claim) {
    for (HollowPod pod : List.copyOf(waiting.getOrDefault(claim, Set.of()))) {
      if (mount(pod)) {
        listener.ready(pod);
      }
    }
  }

  @Override
  public boolean mount(HollowPod pod) {
    List<PodClaim> claims = PodClaim.of(pod.tree());
    Set<String> attachable = new TreeSet<>();
    boolean waits = false;
    for (PodClaim use : claims) {
      switch (known.resolve(use)) {
        case Resolution.Pending _ -> {
          waiting.computeIfAbsent(use.claim(), _ -> new LinkedHashSet<>(2)).add(pod);
          waits = true;
        }
        case Resolution.Attachable attached -> attachable.add(attached.volume().uniqueName());
        case Resolution.Local _ -> {}
      }
    }
    if (waits) {
      return false;
    }
    stopWaiting(pod, claims);
    if (attachable.isEmpty()) {
      return true;
    }
    VolumesOfNode there = volumes(pod.node());
    there.add(pod, attachable);
    if (there.isReady(pod)) {
      return true;
    }
    there.waits(pod);
    report(pod.node());
    return false;
  }

  @Override
  public void takeOver(HollowPod pod) {
    if (!mount(pod)) {
      // It runs, so it does not wait for its volumes; they are in use all the same.
      volumes(pod.node()).doesNotWait(pod);
    }
  }

  @Override
  public void unmount(HollowPod pod) {
    stopWaiting(pod, PodClaim.of(pod.tree()));
    if (volumes(pod.node()).remove(pod)) {
      report(pod.node());
    }
  }

  private void stopWaiting(HollowPod pod, List<PodClaim> claims) {
    for (PodClaim use : claims) {
      Set<HollowPod> same = waiting.get(use.claim());
      if (same != null && same.remove(pod) && same.isEmpty()) {
        waiting.remove(use.claim());
      }
    }
  }

  private void report(HollowNode node) {
    if (toReport(node).isPresent()) {
      listener.report(node);
    }
  }

  /** The server shows a node: volumes that its pods wait for may be attached. */
  public void shown(HollowNode node) {
    if (!node.isSilent()) {
      volumes(node).takeReady().forEach(listener::ready);
    }
  }
}
