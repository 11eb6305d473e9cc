package dev.berth.scheduler.plugin;

/** The kinds of events that may make a pod schedulable. */
public enum ClusterEventKind {
  NODE_ADDED,
  /** A node has gone, and with it perhaps the emptiest domain of a topology. */
  NODE_REMOVED,
  NODE_ALLOCATABLE_CHANGED,
  NODE_LABELS_CHANGED,
  NODE_TAINTS_CHANGED,
  NODE_UNSCHEDULABLE_CHANGED,
  /** The status of a condition; not the time at which a node last said so. */
  NODE_CONDITIONS_CHANGED,
  /** What it declares that it can do. */
  NODE_FEATURES_CHANGED,
  /** A pod was bound, or one that is bound was changed otherwise than in its labels or size. */
  POD_BOUND,
  POD_LABELS_CHANGED,
  /** A bound pod now asks for less. */
  POD_SCALED_DOWN,
  /** A bound pod has gone, or has ended. */
  POD_GONE,
  /**
   * A node is no longer kept for a pod that was nominated to it. To pods of no higher priority this
   * is as if the pod had gone from there: whoever registers for that is told of this too.
   */
  NOMINATION_GONE,
  /** The waiting pod itself was changed; a gate removed, a toleration added. */
  WAITING_POD_CHANGED,
  NAMESPACE_CHANGED,
  VOLUME_CHANGED,
  CLAIM_CHANGED,
  STORAGE_CLASS_CHANGED,
  CSI_CHANGED,
  RESOURCE_CLAIM_CHANGED,
  RESOURCE_SLICE_CHANGED,
  DEVICE_CLASS_CHANGED,
  SERVICE_OR_CONTROLLER_CHANGED
}
