package dev.berth.registry.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;

/**
 * A write that is to be admitted.
 *
 * @param subresource empty for the object itself
 * @param object as it will be, with its defaults; empty for a deletion
 * @param old as it is; empty for a creation
 * @param dryRun whether nothing may be changed on its behalf
 * @param notices receives what admission plugins report
 * @param settlement what plugins want done once the write has ended
 */
public record AdmissionRequest(
    Operation operation,
    Resource resource,
    ObjectName name,
    String subresource,
    JsonObject object,
    JsonObject old,
    User user,
    boolean dryRun,
    AdmissionNotices notices,
    Settlement settlement) {

  /** What is done to the object. */
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  public AdmissionRequest(
      Operation operation,
      Resource resource,
      ObjectName name,
      String subresource,
      JsonObject object,
      JsonObject old,
      User user,
      boolean dryRun,
      AdmissionNotices notices) {
    this(
        operation,
        resource,
        name,
        subresource,
        object,
        old,
        user,
        dryRun,
        notices,
        new Settlement());
  }

  /** A request to delete an object. */
  public static AdmissionRequest deletion(
      Resource resource, ObjectName name, JsonObject old, User user, boolean dryRun) {
    return new AdmissionRequest(
        Operation.DELETE,
        resource,
        name,
        "",
        JsonObject.EMPTY,
        old,
        user,
        dryRun,
        AdmissionNotices.NONE);
  }

  /** The same, of an object that a plugin has changed, if it has. */
  @SuppressWarnings("ReferenceEquality") // Whether it is another one, however alike.
  public AdmissionRequest with(JsonObject changed) {
    return changed == object
        ? this
        : new AdmissionRequest(
            operation,
            resource,
            name,
            subresource,
            changed,
            old,
            user,
            dryRun,
            notices,
            settlement);
  }

  /** Has something done once the write has ended, whether it was written or not. */
  public void afterwards(Settlement.Step step) {
    settlement.add(step);
  }

  /** Whether the object itself is written, of the resource of this name in the core group. */
  public boolean writesCore(String plural) {
    return writes("", plural);
  }

  /** Whether the object itself is written, of a resource. */
  public boolean writes(String group, String plural) {
    return subresource.isEmpty()
        && resource.kind().group().equals(group)
        && resource.plural().equals(plural);
  }

  public boolean creates() {
    return operation == Operation.CREATE;
  }

  public boolean deletes() {
    return operation == Operation.DELETE;
  }
}
