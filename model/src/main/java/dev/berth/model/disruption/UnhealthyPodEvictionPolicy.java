package dev.berth.model.disruption;

/** When a pod that runs but is not ready may be evicted in spite of its budget. */
public enum UnhealthyPodEvictionPolicy {
  /** When the budget is met without it. The default, and what an unknown word means. */
  IF_HEALTHY_BUDGET,
  /** Always. */
  ALWAYS_ALLOW;

  public static UnhealthyPodEvictionPolicy of(String text) {
    return text.equals("AlwaysAllow") ? ALWAYS_ALLOW : IF_HEALTHY_BUDGET;
  }
}
