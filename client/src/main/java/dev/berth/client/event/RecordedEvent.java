package dev.berth.client.event;

import dev.berth.client.Target;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/** An event on the server, or on its way there. */
abstract class RecordedEvent {
  private final GroupVersionResource resource;
  private final ObjectName name;

  /** These four belong to {@link EventWrites}. */
  boolean exists;

  boolean underWay;
  boolean changedMeanwhile;
  boolean delayed;

  RecordedEvent(GroupVersionResource resource, ObjectName name) {
    this.resource = resource;
    this.name = name;
  }

  final ObjectName name() {
    return name;
  }

  /** What is patched when it happens again. */
  Target target() {
    return Target.of(resource, name);
  }

  final Target collection() {
    return Target.all(resource, name.namespace());
  }

  /** The event as it is created. */
  abstract JsonObject whole();

  /** A merge patch with what changes when it happens again. */
  abstract JsonObject change();
}
