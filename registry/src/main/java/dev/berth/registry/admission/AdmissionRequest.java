package dev.berth.registry.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.store.Store.Guard;
import java.util.function.Supplier;

/**
 * A write that is to be admitted.
 *
 * @param subresource empty for the object itself
 * @param object as it will be, with its defaults; empty for a deletion
 * @param old as it is; empty for a creation
 * @param dryRun whether nothing may be changed on its behalf
 * @param notices receives what admission plugins report
 * @param settlement what plugins want done once the write has ended
 * @param wireOptions the options of the request as its client could have sent them, made when
 *     somebody asks
 * @param reinvocation whether plugins that mutate are asked a second time
 * @param isPatch whether a patch was sent rather than an object
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
    Settlement settlement,
    Supplier<JsonObject> wireOptions,
    Reinvocation reinvocation,
    boolean isPatch) {

  /** What is done to the object. */
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE,
    /** Not a write, but a connection to a node, a pod or a service; its options are the object. */
    CONNECT
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
      AdmissionNotices notices,
      Supplier<JsonObject> wireOptions) {
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
        new Settlement(),
        wireOptions,
        new Reinvocation(),
        false);
  }

  /** The same, of a patch. */
  public AdmissionRequest patch() {
    return new AdmissionRequest(
        operation,
        resource,
        name,
        subresource,
        object,
        old,
        user,
        dryRun,
        notices,
        settlement,
        wireOptions,
        reinvocation,
        true);
  }

  /** The verb of the request that changes an object. */
  public String updateVerb() {
    return isPatch ? "patch" : "update";
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
            settlement,
            wireOptions,
            reinvocation,
            isPatch);
  }

  /** The CreateOptions, UpdateOptions or DeleteOptions of the request; empty for a connection. */
  public JsonObject options() {
    return wireOptions.get();
  }

  /** Has something done once the write has ended, whether it was written or not. */
  public void afterwards(Settlement.Step step) {
    settlement.add(step);
  }

  /**
   * Has the object written only if something holds at that moment; otherwise it is admitted once
   * more, after what was to be done afterwards was done.
   */
  public void onlyIf(Guard guard) {
    settlement.add(guard);
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
