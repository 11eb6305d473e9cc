package dev.berth.registry.admission;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * An admission plugin. Refuses with a {@link dev.berth.registry.status.StatusException}. Called by
 * any thread, and again when a write is retried, so being called twice must do no harm.
 */
public interface AdmissionPlugin {

  /** Adds to an object before it is validated. */
  default JsonObject mutate(AdmissionRequest request) {
    return request.object();
  }

  /** What is wrong with an object, to be told together with what its own rules find, and first. */
  default List<FieldError> fieldErrors(AdmissionRequest request) {
    return List.of();
  }

  /** Looks at a connection, or at a deletion before all validate it: nothing can be added there. */
  default void intercept(AdmissionRequest request) {}

  /** Looks at an object that is valid, or at one that is to be deleted. */
  default void validate(AdmissionRequest request) {}
}
