package dev.berth.model.autoscaling;

import dev.berth.model.autoscaling.AutoscalerView.ObjectReference;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A metric that an autoscaler goes by.
 *
 * @param type as it was written, of which {@link #source} tells the known ones apart
 * @param name of the resource, or of the metric
 * @param container whose resource is meant; empty for whole pods
 * @param selector of a metric, as it stands in the tree; null if there is none
 * @param describedObject whose metric is meant, as it stands in the tree
 * @param target what its value should be
 */
public record MetricSpec(
    String type,
    String name,
    String container,
    @Nullable JsonObject selector,
    JsonObject describedObject,
    Target target) {

  /** Where metrics come from. */
  public enum Source {
    RESOURCE("Resource", "resource"),
    CONTAINER_RESOURCE("ContainerResource", "containerResource"),
    PODS("Pods", "pods"),
    OBJECT("Object", "object"),
    EXTERNAL("External", "external");

    private final String word;
    private final String field;

    Source(String word, String field) {
      this.word = word;
      this.field = field;
    }

    /** As {@code type} says it. */
    public String word() {
      return word;
    }

    /** The field of a metric, or of its status, that says more. */
    public String field() {
      return field;
    }

    static @Nullable Source of(String word) {
      for (Source source : values()) {
        if (source.word.equals(word)) {
          return source;
        }
      }
      return null;
    }
  }

  /**
   * What the value of a metric should be. What is null was not said.
   *
   * @param type which of them is meant, where more than one may be
   */
  public record Target(
      String type,
      @Nullable Quantity value,
      @Nullable Quantity averageValue,
      OptionalInt averageUtilization) {

    static Target read(JsonObject target) {
      var percent = target.integer("averageUtilization");
      return new Target(
          target.text("type", ""),
          quantity(target.get("value")),
          quantity(target.get("averageValue")),
          percent.isPresent()
              ? OptionalInt.of(Math.toIntExact(percent.getAsLong()))
              : OptionalInt.empty());
    }

    private static @Nullable Quantity quantity(@Nullable Object value) {
      try {
        return value == null ? null : Quantity.fromTree(value);
      } catch (QuantityFormatException e) {
        return null;
      }
    }
  }

  static MetricSpec read(JsonObject metric) {
    String type = metric.text("type", "");
    Source source = Source.of(type);
    JsonObject about = source == null ? JsonObject.EMPTY : metric.object(source.field());
    JsonObject identified = about.object("metric");
    return new MetricSpec(
        type,
        about.text("name", identified.text("name", "")),
        about.text("container", ""),
        identified.has("selector") ? identified.object("selector") : null,
        about.object("describedObject"),
        Target.read(about.object("target")));
  }

  /** Where it comes from; null if that is not known. */
  public @Nullable Source source() {
    return Source.of(type);
  }

  /** The object whose metric is meant. */
  public ObjectReference object() {
    return ObjectReference.read(describedObject);
  }
}
