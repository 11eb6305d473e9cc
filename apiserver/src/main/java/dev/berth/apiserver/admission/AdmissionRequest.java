package dev.berth.apiserver.admission;

import dev.berth.apiserver.auth.User;
import dev.berth.apiserver.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/**
 * A write that asks to be admitted.
 *
 * @param subresource empty for the object itself
 * @param object as it will be, with its defaults; empty for a deletion
 * @param old as it is; empty for a creation
 * @param dryRun whether nothing may be changed on behalf of it
 */
public record AdmissionRequest(
    Operation operation,
    Resource resource,
    ObjectName name,
    String subresource,
    JsonObject object,
    JsonObject old,
    User user,
    boolean dryRun) {

  /** What is done to the object. */
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  /** The same, of an object that a plugin has changed. */
  public AdmissionRequest with(JsonObject changed) {
    return new AdmissionRequest(operation, resource, name, subresource, changed, old, user, dryRun);
  }

  /** Whether the object itself is written, of the resource of this name in the core group. */
  public boolean writesCore(String plural) {
    return subresource.isEmpty()
        && resource.kind().group().isEmpty()
        && resource.plural().equals(plural);
  }
}
