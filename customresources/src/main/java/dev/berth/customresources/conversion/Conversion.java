package dev.berth.customresources.conversion;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Turns objects of one version of a custom resource into those of another. */
public interface Conversion {
  /** Versions differ by their name alone. */
  Conversion NONE =
      (objects, apiVersion) ->
          objects.stream().map(object -> object.with("apiVersion", apiVersion)).toList();

  /**
   * The objects in a version, in their order.
   *
   * @param apiVersion which none of them is of already
   */
  List<JsonObject> convert(List<JsonObject> objects, String apiVersion);
}
