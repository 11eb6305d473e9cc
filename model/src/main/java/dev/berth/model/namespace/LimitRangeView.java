package dev.berth.model.namespace;

import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** A LimitRange: what each object of a kind may ask for, and gets if it asks for nothing. */
public record LimitRangeView(List<Item> items) {
  public static final String CONTAINER = "Container";
  public static final String POD = "Pod";
  public static final String CLAIM = "PersistentVolumeClaim";

  public static LimitRangeView read(JsonObject limitRange) {
    return new LimitRangeView(Views.list(limitRange.object("spec").array("limits"), Item::read));
  }

  /**
   * The limits of one kind of objects.
   *
   * @param defaultRequests amounts as they are written, since containers get them so
   * @param defaultLimits amounts as they are written, since containers get them so
   */
  public record Item(
      String type,
      ResourceList min,
      ResourceList max,
      ResourceList maxLimitRequestRatio,
      JsonObject defaultRequests,
      JsonObject defaultLimits) {

    static Item read(JsonObject item) {
      return new Item(
          item.text("type", ""),
          ResourceList.read(item.object("min")),
          ResourceList.read(item.object("max")),
          ResourceList.read(item.object("maxLimitRequestRatio")),
          item.object("defaultRequest"),
          item.object("default"));
    }
  }
}
