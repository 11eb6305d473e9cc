package dev.berth.model.autoscaling;

import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A HorizontalPodAutoscaler of autoscaling/v2: what it scales, by which metrics, and how fast.
 *
 * @param behavior null if nothing is said about how fast
 * @param status as it was written last
 */
public record AutoscalerView(
    String namespace,
    String name,
    ObjectReference target,
    int minReplicas,
    int maxReplicas,
    List<MetricSpec> metrics,
    @Nullable AutoscalerBehavior behavior,
    JsonObject status) {

  /** An object of the autoscaler's namespace. */
  public record ObjectReference(String apiVersion, String kind, String name) {
    static ObjectReference read(JsonObject reference) {
      return new ObjectReference(
          reference.text("apiVersion", ""), reference.text("kind", ""), reference.text("name", ""));
    }
  }

  public static AutoscalerView read(JsonObject autoscaler) {
    JsonObject metadata = autoscaler.object("metadata");
    JsonObject spec = autoscaler.object("spec");
    return new AutoscalerView(
        metadata.text("namespace", ""),
        metadata.text("name", ""),
        ObjectReference.read(spec.object("scaleTargetRef")),
        Math.toIntExact(spec.integer("minReplicas").orElse(1)),
        Math.toIntExact(spec.integer("maxReplicas").orElse(0)),
        Views.list(spec.array("metrics"), MetricSpec::read),
        spec.has("behavior") ? AutoscalerBehavior.read(spec.object("behavior")) : null,
        autoscaler.object("status"));
  }
}
