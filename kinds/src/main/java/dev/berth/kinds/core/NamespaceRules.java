package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.MetadataValidation;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Namespaces. One that is being deleted stays until the finalizers of its specification are gone,
 * which go through a path of their own: by then, what was in it is gone.
 */
final class NamespaceRules implements ResourceRules {
  static final String FINALIZE = "finalize";
  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("kubernetes", MetadataValidation.ORPHAN, MetadataValidation.FOREGROUND_DELETION);

  @Override
  public JsonObject defaults(JsonObject original) {
    JsonObject namespace =
        FieldRules.within(
            original,
            "status",
            status -> status.text("phase", "").isEmpty() ? status.with("phase", "Active") : status);
    String name = Metadata.of(namespace).name();
    return name.isEmpty()
        ? namespace
        : Metadata.update(
            namespace,
            metadata ->
                FieldRules.within(
                    metadata, "labels", l -> l.with(WellKnownLabels.NAMESPACE_NAME, name)));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject namespace, Instant now) {
    JsonArray finalizers = namespace.object("spec").array("finalizers");
    JsonArray all =
        finalizers.texts().contains("kubernetes") ? finalizers : finalizers.append("kubernetes");
    return namespace
        .with("spec", JsonObject.of("finalizers", all))
        .with("status", JsonObject.of("phase", "Active"));
  }

  @Override
  public List<FieldError> validate(JsonObject namespace) {
    FieldErrorList problems = new FieldErrorList();
    for (String finalizer : namespace.object("spec").array("finalizers").texts()) {
      finalizer(finalizer, FieldPath.of("spec", "finalizers"), problems);
    }
    return problems.all();
  }

  private static void finalizer(String name, FieldPath at, FieldErrorList problems) {
    problems.invalid(at, name, NameRules.qualifiedName(name));
    if (!name.contains("/") && !STANDARD_FINALIZERS.contains(name)) {
      problems.invalid(
          at, name, "name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject namespace, JsonObject old) {
    return List.of();
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject namespace, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    List<String> finalizers = namespace.object("spec").array("finalizers").texts();
    if (!finalizers.equals(old.object("spec").array("finalizers").texts())) {
      for (int i = 0; i < finalizers.size(); i++) {
        finalizer(finalizers.get(i), FieldPath.of("spec", "finalizers").index(i), problems);
      }
    }
    String phase = namespace.object("status").text("phase", "");
    boolean deleted = Metadata.of(namespace).isBeingDeleted();
    if (!phase.equals(deleted ? "Terminating" : "Active")) {
      problems.invalid(
          FieldPath.of("status", "Phase"),
          phase,
          deleted
              ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
              : "may only be 'Active' if `deletionTimestamp` is empty");
    }
    return problems.all();
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject namespace, JsonObject old, Instant now) {
    return FieldRules.keep("spec", namespace, old);
  }

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return subresource.equals(FINALIZE)
        ? FieldRules.keep("spec", old.with("metadata", object.object("metadata")), object)
        : ResourceRules.super.throughSubresource(subresource, object, old);
  }

  @Override
  public JsonObject prepareForDelete(JsonObject namespace) {
    return FieldRules.within(namespace, "status", status -> status.with("phase", "Terminating"));
  }

  @Override
  public boolean isHeld(JsonObject namespace) {
    return !namespace.object("spec").array("finalizers").isEmpty();
  }
}
