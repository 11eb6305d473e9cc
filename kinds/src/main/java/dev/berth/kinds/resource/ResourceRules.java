package dev.berth.kinds.resource;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * What is particular to the objects of one resource. All are pure functions; the registry calls
 * them in the order in which they stand here. Objects have the shape that their schema says.
 */
public interface ResourceRules {

  /** Rules of a resource that has none of its own. */
  ResourceRules NONE = new ResourceRules() {};

  /** Fills in what was left out. Filling in twice must change nothing. */
  default JsonObject defaults(JsonObject object) {
    return object;
  }

  /** Sets what the server decides about a new object. */
  default JsonObject prepareForCreate(JsonObject object, Instant now) {
    return object;
  }

  /** Sets what the server decides about a changed one. */
  default JsonObject prepareForUpdate(JsonObject object, JsonObject old, Instant now) {
    return object;
  }

  /**
   * What a writer may change through a subresource: nothing but the status on its path, metadata
   * aside; nothing but the number of replicas through the scale. Who owns what is not asked here.
   */
  default JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    if (subresource.equals(Subresource.SCALE)) {
      Object replicas = object.object("spec").get("replicas");
      return replicas == null
          ? old
          : old.with("spec", old.object("spec").with("replicas", replicas));
    }
    JsonObject changed = old.with("metadata", object.object("metadata"));
    Object status = object.get("status");
    return status == null ? changed.without("status") : changed.with("status", status);
  }

  /** Sets what the server decides about an object that was changed through a subresource. */
  default JsonObject prepareThroughSubresource(JsonObject object, JsonObject old, Instant now) {
    return object;
  }

  /**
   * Whether a change makes a new generation of an object, where these are counted.
   *
   * @param subresource through which it came, mostly none
   */
  default boolean isNewGeneration(JsonObject object, JsonObject old, String subresource) {
    return !object.object("spec").equals(old.object("spec"));
  }

  /**
   * For kinds whose status path changes the status alone, and no metadata either: an object with
   * another's status.
   */
  static JsonObject statusAlone(JsonObject object, JsonObject old) {
    return FieldRules.keep("status", old, object);
  }

  /** What is wrong with an object, whatever it was before; its metadata are not looked at. */
  default List<FieldError> validate(JsonObject object) {
    return List.of();
  }

  /**
   * The same for an object that is to replace another: what would not be let in anew may stay if it
   * was there already.
   */
  default List<FieldError> validateReplacing(JsonObject object, JsonObject old) {
    return validate(object);
  }

  /** What is wrong with a change of an object that is valid by itself. */
  default List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    return List.of();
  }

  /** What is wrong with a change that came through a subresource. */
  default List<FieldError> validateSubresource(JsonObject object, JsonObject old) {
    return List.of();
  }

  /** The same, where it matters which subresource it was. */
  default List<FieldError> validateSubresource(
      String subresource, JsonObject object, JsonObject old) {
    return validateSubresource(object, old);
  }

  /**
   * Whether an object that is deleted is marked before it goes, even if it goes at once, as pods
   * are.
   */
  default boolean deletesGracefully() {
    return false;
  }

  /**
   * For how many seconds an object goes on existing after its deletion was asked for; 0 when it
   * goes at once.
   *
   * @param asked what the client asked for, negative if nothing
   */
  default long gracePeriodSeconds(JsonObject object, long asked) {
    return 0;
  }

  /** Sets what the server decides when an object is marked as being deleted. */
  default JsonObject prepareForDelete(JsonObject object) {
    return object;
  }

  /** Whether something besides finalizers keeps an object that is being deleted. */
  default boolean isHeld(JsonObject object) {
    return false;
  }
}
