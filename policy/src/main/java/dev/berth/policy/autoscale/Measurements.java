package dev.berth.policy.autoscale;

import java.util.Collection;
import java.util.List;

/** What could be found out about the target of an autoscaler. */
public sealed interface Measurements {

  /** Nothing, since the number of its replicas says enough. */
  record NotNeeded() implements Measurements {}

  /** Nothing, since its pods cannot be told from others. */
  record NotSelected(TargetSelector.Invalid why) implements Measurements {}

  /**
   * Its metrics.
   *
   * @param answers in the order of the autoscaler's metrics
   * @param pods those of the target
   */
  record Taken(List<MetricAnswer> answers, Collection<MeasuredPod> pods) implements Measurements {
    public Taken {
      answers = List.copyOf(answers);
      pods = List.copyOf(pods);
    }
  }
}
