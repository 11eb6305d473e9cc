package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.kinds.resource.UpdateSteps;
import dev.berth.kinds.resource.ZeroFields;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Failures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What becomes of an object between its writer and the store, by the rules of its resource and by
 * those that hold for all:
 *
 * <ol>
 *   <li>The server alone says when an object was created, when it is to be gone, and which
 *       generation it is of.
 *   <li>Where the status has a path of its own, it is changed on that path, and nothing else is.
 *   <li>The generation begins with 1 and rises when the specification changes, where it is counted;
 *       not when a pod is bound, which carries out what it asks for.
 *   <li>Whoever leaves out the managed fields does not change them.
 * </ol>
 */
final class Preparation {

  /** What a writer may leave out but not change; validation tells whoever tries. */
  private static final List<String> OF_DELETION =
      List.of("deletionTimestamp", "deletionGracePeriodSeconds");

  private Preparation() {}

  /**
   * What admission does while an object is prepared.
   *
   * @param mutate adds what the policies of the cluster want to be there
   * @param fieldErrors what they find wrong with the prepared object
   */
  record Admission(
      UnaryOperator<JsonObject> mutate, Function<JsonObject, List<FieldError>> fieldErrors) {}

  /** A new object, ready to be stored. */
  static JsonObject forCreate(
      Resource resource, JsonObject object, String uid, Instant now, Admission admission) {
    ResourceRules rules = resource.rules();
    JsonObject prepared =
        Metadata.update(
            object,
            metadata -> {
              JsonObject own =
                  metadata
                      .without("resourceVersion")
                      .without("selfLink")
                      .without("deletionTimestamp")
                      .without("deletionGracePeriodSeconds")
                      .with("uid", uid)
                      .with("creationTimestamp", Times.format(now));
              if (resource.beginsWithGeneration()) {
                return own.with("generation", 1L);
              }
              // Where nobody counts, it is what its writer says.
              return resource.countsGeneration() ? own.without("generation") : own;
            });
    boolean hasOwnStatus = resource.keepsStatusOnCreate() && prepared.has("status");
    if (resource.hasStatus() && !hasOwnStatus) {
      prepared = prepared.with("status", JsonObject.EMPTY);
    }
    JsonObject whole = filled(resource, rules.defaults(prepared), JsonObject.EMPTY);
    prepared = rules.prepareForCreate(admission.mutate().apply(whole), now);
    prepared = ZeroFields.builtIn().fill(prepared, whole, resource.kind());
    check(resource, prepared, admission, UpdateSteps.validateNew(resource, prepared));
    return prepared;
  }

  /** A changed object, ready to be stored, as above. */
  static JsonObject forUpdate(
      Resource resource,
      JsonObject object,
      JsonObject old,
      String subresource,
      Instant now,
      Admission admission) {
    ResourceRules rules = resource.rules();
    boolean whole = subresource.isEmpty();
    JsonObject prepared = keepServersMetadata(object, old);
    if (!whole) {
      prepared = throughSubresource(resource, subresource, prepared, old);
    } else if (resource.hasStatus()) {
      prepared = keep("status", prepared, old);
    }
    JsonObject filled = filled(resource, rules.defaults(prepared), old);
    prepared = admission.mutate().apply(filled);
    prepared =
        whole
            ? rules.prepareForUpdate(prepared, old, now)
            : rules.prepareThroughSubresource(prepared, old, now);
    prepared = ZeroFields.builtIn().fill(prepared, filled, resource.kind());
    prepared = countGeneration(resource, prepared, old, subresource);
    check(
        resource,
        prepared,
        admission,
        whole
            ? UpdateSteps.validate(resource, prepared, old)
            : UpdateSteps.validate(resource, subresource, prepared, old));
    return prepared;
  }

  /** Whatever a kind lets through, those who applied it own it. */
  private static JsonObject throughSubresource(
      Resource resource, String subresource, JsonObject object, JsonObject old) {
    return Metadata.update(
        resource.rules().throughSubresource(subresource, object, old),
        metadata -> keep("managedFields", metadata, object.object("metadata")));
  }

  /** The object with its fields in order, and with those that are there though they are zero. */
  static JsonObject filled(Resource resource, JsonObject object, JsonObject known) {
    return ZeroFields.builtIn()
        .fill(StoredEncoding.inOrder(resource, object), known, resource.kind());
  }

  private static JsonObject keepServersMetadata(JsonObject object, JsonObject old) {
    JsonObject before = old.object("metadata");
    return Metadata.update(
        object,
        metadata -> {
          JsonObject kept = keep("creationTimestamp", metadata.without("selfLink"), before);
          kept = kept.text("uid", "").isEmpty() ? keep("uid", kept, before) : kept;
          for (String field : OF_DELETION) {
            kept = before.has(field) || !kept.has(field) ? keep(field, kept, before) : kept;
          }
          kept = keep("generation", kept, before);
          return kept.has("managedFields") ? kept : keep("managedFields", kept, before);
        });
  }

  private static JsonObject countGeneration(
      Resource resource, JsonObject object, JsonObject old, String subresource) {
    boolean isNew =
        resource.custom().isPresent()
            ? resource.rules().isNewGeneration(object, old, subresource)
            : resource.isNewGeneration(object, old, subresource);
    return resource.countsGeneration() && isNew ? nextGeneration(object) : object;
  }

  static JsonObject nextGeneration(JsonObject object) {
    long next = Metadata.of(object).generation() + 1;
    return Metadata.update(object, metadata -> metadata.with("generation", next));
  }

  /** An object with a field as another has it, or has it not. */
  private static JsonObject keep(String field, JsonObject object, JsonObject from) {
    Object value = from.get(field);
    return value == null ? object.without(field) : object.with(field, value);
  }

  private static void check(
      Resource resource, JsonObject object, Admission admission, List<FieldError> ownErrors) {
    List<FieldError> errors = new ArrayList<>(admission.fieldErrors().apply(object));
    errors.addAll(ownErrors);
    if (!errors.isEmpty()) {
      throw Failures.invalid(resource.groupKind(), Metadata.of(object).name(), errors);
    }
  }
}
