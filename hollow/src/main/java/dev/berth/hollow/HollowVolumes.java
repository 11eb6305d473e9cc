package dev.berth.hollow;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.VolumeResolver;
import dev.berth.policy.attachment.VolumeResolver.Resolution;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What nodes do about their pods' volumes, before they start a pod and after it has ended.
 *
 * <ol>
 *   <li>A pod waits until all its claims are bound.
 *   <li>Its node then says that it uses those volumes that have to be attached ({@code
 *       status.volumesInUse}), and waits until it is told that they are ({@code
 *       status.volumesAttached}). It believes only what was written after it had said so: then
 *       nobody detaches a volume that it is about to use.
 *   <li>Volumes that are there on the node itself are there at once.
 *   <li>When no pod uses a volume any more, its node says so. A silent node says nothing, so that
 *       the server shows what it used when it was last heard of.
 * </ol>
 *
 * <p>Belongs to the loop of {@link HollowNodes}.
 */
final class HollowVolumes {
  private final VolumeResolver known = new VolumeResolver();
  private final Listener listener;

  /** Pods whose claims do not mean anything yet. */
  private final Map<ObjectName, Set<HollowPod>> waiting = new HashMap<>();

  private boolean isSynced;

  /** Learns what is to be done. */
  interface Listener {
    /** The node has something to say about the volumes that it uses. */
    void report(HollowNode node);

    /** The pod has all its volumes. */
    void ready(HollowPod pod);
  }

  HollowVolumes(Listener listener) {
    this.listener = listener;
  }

  /** Everything that was on the server is known: from now on nodes say what they use. */
  void synced(HollowNode[] nodes) {
    isSynced = true;
    for (HollowNode node : nodes) {
      if (!node.mounts().isSaid(node)) {
        listener.report(node);
      }
    }
  }

  void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.claimChanged(before, after);
    if (after != null) {
      lookAtUsersOf(ObjectName.of(after));
    }
  }

  void volumeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.volumeChanged(before, after);
    if (after != null) {
      lookAtUsersOf(VolumeResolver.claimOf(after));
    }
  }

  void driverChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    known.driverChanged(before, after);
  }

  private void lookAtUsersOf(ObjectName claim) {
    for (HollowPod pod : List.copyOf(waiting.getOrDefault(claim, Set.of()))) {
      if (mount(pod)) {
        listener.ready(pod);
      }
    }
  }

  /**
   * Begins to give a pod its volumes.
   *
   * @return whether it has all of them
   */
  boolean mount(HollowPod pod) {
    List<PodClaim> claims = PodClaim.of(pod.tree);
    Set<String> volumes = new TreeSet<>();
    boolean waits = false;
    for (PodClaim use : claims) {
      switch (known.resolve(use)) {
        case Resolution.Pending _ -> {
          waiting.computeIfAbsent(use.claim(), _ -> new LinkedHashSet<>(2)).add(pod);
          waits = true;
        }
        case Resolution.Attachable attached -> volumes.add(attached.volume().uniqueName());
        case Resolution.Local _ -> {}
      }
    }
    if (waits) {
      return false;
    }
    stopWaiting(pod, claims);
    if (volumes.isEmpty()) {
      return true;
    }
    HollowNode node = pod.node();
    node.mounts().add(pod, volumes);
    if (node.mounts().isThere(node, pod)) {
      return true;
    }
    node.mounts().waits(pod);
    report(node);
    return false;
  }

  /** Notes the volumes of a pod that ran before this agent was started. */
  void takeOver(HollowPod pod) {
    if (!mount(pod)) {
      // It runs, so nobody waits for its volumes; they are in use all the same.
      pod.node().mounts().doesNotWait(pod);
    }
  }

  /** Nothing of a pod runs any more. */
  void unmount(HollowPod pod) {
    stopWaiting(pod, PodClaim.of(pod.tree));
    if (pod.node().mounts().remove(pod)) {
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
    if (isSynced && !node.mounts().isSaid(node)) {
      listener.report(node);
    }
  }

  /** The server shows a node: what its pods wait for may be there. */
  void shown(HollowNode node) {
    if (!node.isSilent()) {
      node.mounts().takeReady(node).forEach(listener::ready);
    }
  }

  /** Whether nodes know what their pods use. */
  boolean isSynced() {
    return isSynced;
  }
}
