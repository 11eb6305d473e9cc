package dev.berth.model.device;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A class of devices: which are meant, and what their drivers are told.
 *
 * @param selectors as they are written
 * @param config as it is written
 * @param extendedResource the extended resource that pods may ask for instead; empty if none
 */
public record DeviceClassView(
    String name,
    List<JsonObject> selectors,
    JsonArray config,
    String extendedResource,
    Optional<Instant> created) {

  /** The extended resource that every class has. */
  public static final String IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/";

  public static DeviceClassView read(JsonObject tree) {
    JsonObject spec = tree.object("spec");
    Metadata metadata = Metadata.of(tree);
    return new DeviceClassView(
        metadata.name(),
        spec.array("selectors").objects(),
        spec.array("config"),
        spec.text("extendedResourceName", ""),
        metadata.creationTimestamp());
  }
}
