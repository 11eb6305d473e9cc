package dev.berth.client.event;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/** Names of new events, and how events refer to objects. */
final class EventNames {
  private static final String DEFAULT_NAMESPACE = "default";

  private final String component;
  private long lastStamp;

  EventNames(String component) {
    this.component = component;
  }

  /** In the object's namespace; events about objects in no namespace go to {@code default}. */
  ObjectName next(JsonObject regarding, Instant now) {
    Metadata metadata = Metadata.of(regarding);
    String namespace = metadata.namespace().isEmpty() ? DEFAULT_NAMESPACE : metadata.namespace();
    return new ObjectName(namespace, metadata.name() + "." + Long.toHexString(stamp(now)));
  }

  /**
   * Nanoseconds since 1970, as upstream's names have; none twice, and as a rule none that another
   * component has for the same object at the same instant, since clocks may be coarse.
   */
  private long stamp(Instant now) {
    long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
    nanos += Math.floorMod(component.hashCode(), 1_000);
    lastStamp = Math.max(nanos, lastStamp + 1);
    return lastStamp;
  }

  static JsonObject metadata(ObjectName name) {
    return new JsonObject.Builder()
        .put("name", name.name())
        .put("namespace", name.namespace())
        .build();
  }

  static JsonObject reference(JsonObject object) {
    JsonObject metadata = object.object("metadata");
    return new JsonObject.Builder()
        .putIfPresent("kind", object.get("kind"))
        .putIfPresent("namespace", metadata.get("namespace"))
        .putIfPresent("name", metadata.get("name"))
        .putIfPresent("uid", metadata.get("uid"))
        .putIfPresent("apiVersion", object.get("apiVersion"))
        .putIfPresent("resourceVersion", metadata.get("resourceVersion"))
        .putIfPresent("fieldPath", object.get("fieldPath"))
        .build();
  }
}
