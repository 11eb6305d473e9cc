package dev.berth.hollow;

/**
 * The label of hollow nodes, and the annotations that control them. These are the simulation's own
 * channel: a node that is silent towards the control plane still reacts to them, and anybody who
 * may annotate a node can use them, on any Kubernetes server.
 */
public final class HollowAnnotations {
  /** The label of hollow nodes, with the value {@code true}. */
  public static final String MANAGED = "hollow.berth.dev/managed";

  /** On a node: {@code true} makes it silent, as if it were cut off. */
  public static final String SILENT = "hollow.berth.dev/silent";

  /**
   * On a node: the conditions that it reports as True beside its readiness, between commas. {@code
   * MemoryPressure}, {@code DiskPressure}, {@code PIDPressure} and {@code NetworkUnavailable} are
   * known.
   */
  public static final String CONDITIONS = "hollow.berth.dev/conditions";

  /**
   * On a node: how much memory, such as {@code 2Gi}, it lacks to be above its eviction threshold.
   * It reports MemoryPressure, and evicts pods until they have freed as much.
   */
  public static final String MEMORY_MISSING = "hollow.berth.dev/memory-missing";

  /** On a pod: how much memory it uses; what it requests if absent. */
  public static final String MEMORY_USED = "hollow.berth.dev/memory-used";

  /** On a node: why it reports that it is not ready. */
  public static final String NOT_READY = "hollow.berth.dev/not-ready";

  /** On a pod: how long its containers run before they end by themselves, such as {@code 1m30s}. */
  public static final String RUN_FOR = "hollow.berth.dev/run-for";

  /** On a pod: what its containers end with when they end by themselves; 0 if absent. */
  public static final String EXIT_CODE = "hollow.berth.dev/exit-code";

  private HollowAnnotations() {}
}
