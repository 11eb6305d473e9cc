package dev.berth.controllers.attachdetach;

import dev.berth.model.resource.ObjectName;
import dev.berth.policy.attachment.AttachableVolume;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A volume that is attached to nodes, or wanted by pods on them. */
final class TrackedVolume {
  /**
   * Its driver and what that calls it; the name of its PersistentVolume, in no namespace, as long
   * as that was not heard of.
   */
  final ObjectName key;

  /** By node. */
  final TreeMap<String, TrackedPlace> places = new TreeMap<>();

  /** Null as long as its PersistentVolume was not heard of. */
  @Nullable AttachableVolume volume;

  TrackedVolume(ObjectName key) {
    this.key = key;
  }
}
