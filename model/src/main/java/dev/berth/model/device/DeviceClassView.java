package dev.berth.model.device;

import dev.berth.model.core.Views;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A class of devices: which are meant, and what their drivers are told.
 *
 * @param selectors the expressions of its selectors
 * @param config as it is written
 * @param extendedResource the extended resource that pods may ask for instead; empty if none
 */
public record DeviceClassView(
    String name,
    List<String> selectors,
    JsonArray config,
    String extendedResource,
    Optional<Instant> created) {

  /** The extended resource that every class has. */
  public static final String IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/";

  /** The expressions of selectors. */
  static List<String> expressions(JsonArray selectors) {
    return Views.list(selectors, selector -> selector.object("cel").text("expression", ""));
  }

  public static DeviceClassView read(JsonObject tree) {
    JsonObject spec = tree.object("spec");
    Metadata metadata = Metadata.of(tree);
    return new DeviceClassView(
        metadata.name(),
        expressions(spec.array("selectors")),
        spec.array("config"),
        spec.text("extendedResourceName", ""),
        metadata.creationTimestamp());
  }
}
