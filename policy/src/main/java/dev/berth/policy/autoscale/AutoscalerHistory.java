package dev.berth.policy.autoscale;

/**
 * What is remembered of an autoscaler. It may be forgotten: then the next recommendations count for
 * themselves, but for the number of replicas that is found.
 */
public record AutoscalerHistory(Recommendations recommendations, ScaleChanges changes) {
  public static final AutoscalerHistory NONE =
      new AutoscalerHistory(Recommendations.NONE, ScaleChanges.NONE);

  AutoscalerHistory with(Recommendations others) {
    return new AutoscalerHistory(others, changes);
  }

  AutoscalerHistory with(ScaleChanges others) {
    return new AutoscalerHistory(recommendations, others);
  }
}
