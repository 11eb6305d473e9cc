package dev.berth.registry.admission;

import dev.berth.model.tree.JsonObject;

/**
 * One policy. Refuses with a {@link dev.berth.registry.status.StatusException}. Asked by any
 * thread, and again when a write is tried again, so it must not mind being asked twice.
 */
public interface AdmissionPlugin {

  /** Adds to an object before it is validated. */
  default JsonObject mutate(AdmissionRequest request) {
    return request.object();
  }

  /** Looks at an object that is valid, or at one that is to be deleted. */
  default void validate(AdmissionRequest request) {}
}
