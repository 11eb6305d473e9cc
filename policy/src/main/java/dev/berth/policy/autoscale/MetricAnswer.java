package dev.berth.policy.autoscale;

import java.util.List;
import java.util.Map;

/** What a metrics API says of a metric. */
public sealed interface MetricAnswer {

  /** What each pod uses, by its name. */
  record OfPods(Map<String, PodMetric> metrics) implements MetricAnswer {
    public OfPods {
      metrics = Map.copyOf(metrics);
    }
  }

  /** Values of an object or of something outside of the cluster, in thousandths. */
  record Values(List<Long> values) implements MetricAnswer {
    public Values {
      values = List.copyOf(values);
    }
  }

  /** Nothing; why is for people. */
  record Failed(String why) implements MetricAnswer {}
}
