package dev.berth.scheduler.plugin;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import org.jspecify.annotations.Nullable;

/** A change in the cluster that may make a pod schedulable. */
public sealed interface ClusterEvent {
  ClusterEventKind kind();

  /** The only node that is better for pods because of it; empty if it may be any. */
  String nodeName();

  /**
   * About a node.
   *
   * @param before null if it is new
   * @param after null if it is gone
   */
  record NodeEvent(ClusterEventKind kind, @Nullable NodeInfo before, @Nullable NodeInfo after)
      implements ClusterEvent {
    @Override
    public String nodeName() {
      // A node that is gone may have been the emptiest domain of a topology, which helps others.
      return after == null ? "" : after.name();
    }
  }

  /**
   * About a pod, on a node or waiting for one.
   *
   * @param before null if it was not known
   * @param after null if it is gone
   */
  record PodEvent(ClusterEventKind kind, @Nullable PodInfo before, @Nullable PodInfo after)
      implements ClusterEvent {
    @Override
    public String nodeName() {
      return after != null ? after.nodeName() : before != null ? before.nodeName() : "";
    }

    /** Whether the pod has other tolerations now, or that is not known. */
    public boolean changesTolerations() {
      return before == null
          || after == null
          || !before.view().spec().tolerations().equals(after.view().spec().tolerations());
    }
  }

  /**
   * About a claim on devices.
   *
   * @param before null if it is new
   * @param after null if it is gone
   */
  record DeviceClaimEvent(
      ClusterEventKind kind, @Nullable ResourceClaimView before, @Nullable ResourceClaimView after)
      implements ClusterEvent {
    @Override
    public String nodeName() {
      return "";
    }
  }

  /** About an object of another kind. */
  record ObjectEvent(ClusterEventKind kind, ObjectName name) implements ClusterEvent {
    @Override
    public String nodeName() {
      return "";
    }
  }
}
