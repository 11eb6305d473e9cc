package dev.berth.model.core;

import java.util.Map;

/** The taint keys that Kubernetes itself puts on nodes. */
public final class WellKnownTaints {
  /** The node's Ready condition is False. */
  public static final String NOT_READY = "node.kubernetes.io/not-ready";

  /** The node's Ready condition is Unknown: nothing was heard from it. */
  public static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  public static final String MEMORY_PRESSURE = "node.kubernetes.io/memory-pressure";
  public static final String DISK_PRESSURE = "node.kubernetes.io/disk-pressure";
  public static final String PID_PRESSURE = "node.kubernetes.io/pid-pressure";
  public static final String NETWORK_UNAVAILABLE = "node.kubernetes.io/network-unavailable";

  /** The node is cordoned. */
  public static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

  /** An operator says that the node is down and its pods and volumes may be taken away. */
  public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  /** The cloud provider has not described the node yet. */
  public static final String UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

  /** The cloud provider says that the node's machine is stopped. */
  public static final String SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";

  /** Before Kubernetes 1.8, {@link #NOT_READY}. */
  public static final String LEGACY_NOT_READY = "node.alpha.kubernetes.io/notReady";

  /** Before Kubernetes 1.8, {@link #UNREACHABLE}. */
  public static final String LEGACY_UNREACHABLE = "node.alpha.kubernetes.io/unreachable";

  /** Until Kubernetes 1.12; the condition behind it was folded into disk pressure. */
  public static final String LEGACY_OUT_OF_DISK = "node.kubernetes.io/out-of-disk";

  private static final Map<String, String> MODERN =
      Map.of(
          LEGACY_NOT_READY, NOT_READY,
          LEGACY_UNREACHABLE, UNREACHABLE,
          LEGACY_OUT_OF_DISK, DISK_PRESSURE);

  private WellKnownTaints() {}

  /** Whether two taints have the same effect because a node is not ready, in either way. */
  public static boolean isSameProblem(Taint one, Taint other) {
    return one.effect() == other.effect() && isNotReady(one) && isNotReady(other);
  }

  private static boolean isNotReady(Taint taint) {
    return taint.key().equals(NOT_READY) || taint.key().equals(UNREACHABLE);
  }

  /** The key that is used today for what a legacy key meant; any other key is itself. */
  public static String modern(String key) {
    return MODERN.getOrDefault(key, key);
  }
}
