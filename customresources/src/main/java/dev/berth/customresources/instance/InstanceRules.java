package dev.berth.customresources.instance;

import dev.berth.customresources.rules.SchemaRules;
import dev.berth.customresources.schema.Defaulting;
import dev.berth.customresources.schema.EmbeddedMetadata;
import dev.berth.customresources.schema.ListTypes;
import dev.berth.customresources.schema.ValueValidator;
import dev.berth.kinds.resource.CustomKind.ScalePaths;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.FieldError.Reason;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rules of a custom resource in one of its versions, all of them by its schema. */
final class InstanceRules implements ResourceRules {
  /** After these, rules are not asked: they may rely on what the schema says of types. */
  private static final Set<Reason> BLOCKING =
      Set.of(
          Reason.NOT_SUPPORTED,
          Reason.REQUIRED,
          Reason.TOO_LONG,
          Reason.TOO_MANY,
          Reason.TYPE_INVALID);

  private final Supplier<StructuralSchema> schema;
  private final boolean hasStatus;
  private final Optional<ScalePaths> scale;

  InstanceRules(Supplier<StructuralSchema> schema, boolean hasStatus, Optional<ScalePaths> scale) {
    this.schema = schema;
    this.hasStatus = hasStatus;
    this.scale = scale;
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return Defaulting.fill(object, schema.get());
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object, Instant now) {
    return hasStatus ? object.without("status") : object;
  }

  /** Through its path, nothing but the status changes, not even metadata. */
  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    if (subresource.equals(Subresource.SCALE)) {
      FieldPath replicas = FieldPath.parse(scale.orElseThrow().specReplicas());
      Object wanted = replicas.get(object);
      return wanted == null ? old : (JsonObject) replicas.set(old, wanted);
    }
    return FieldRules.keep("status", old, object);
  }

  /** Whatever changes but metadata makes a new generation, on the object's own path. */
  @Override
  public boolean isNewGeneration(JsonObject object, JsonObject old, String subresource) {
    return !subresource.equals(Subresource.STATUS)
        && !object.without("metadata").equals(old.without("metadata"));
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    List<FieldError> errors = new ArrayList<>(ValueValidator.of(schema.get()).validate(object));
    errors.addAll(ScaleValidation.spec(object, scale));
    errors.addAll(ScaleValidation.status(object, scale));
    errors.addAll(embedded(object));
    errors.addAll(ListTypes.validate(object, schema.get()));
    return checked(errors, object, null);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject object, JsonObject old) {
    List<FieldError> errors =
        new ArrayList<>(ValueValidator.of(schema.get()).validate(object, old));
    errors.addAll(ScaleValidation.spec(object, scale));
    errors.addAll(ScaleValidation.status(object, scale));
    errors.addAll(embedded(object));
    errors.addAll(repeated(object, old));
    return checked(errors, object, old);
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject object, JsonObject old) {
    boolean onlyStatus =
        object
            .without("status")
            .without("metadata")
            .equals(old.without("status").without("metadata"));
    if (!onlyStatus) {
      return validateReplacing(object, old);
    }
    List<FieldError> errors = new ArrayList<>();
    StructuralSchema own = schema.get().property("status");
    Object status = object.get("status");
    if (own != null && status != null) {
      errors.addAll(ValueValidator.of(own).validatePart("status", status, old.get("status")));
    }
    errors.addAll(ScaleValidation.status(object, scale));
    errors.addAll(repeated(object, old));
    return checked(errors, object, old);
  }

  private List<FieldError> embedded(JsonObject object) {
    return EmbeddedMetadata.validate(object, schema.get(), false, FieldPath.ROOT);
  }

  /** What has an element twice may go on to, but nothing begins to. */
  private List<FieldError> repeated(JsonObject object, JsonObject old) {
    List<FieldError> now = ListTypes.validate(object, schema.get());
    return now.isEmpty() || !ListTypes.validate(old, schema.get()).isEmpty() ? List.of() : now;
  }

  /** The errors so far, and then what the rules of the schema say. */
  private List<FieldError> checked(
      List<FieldError> errors, JsonObject object, @Nullable JsonObject old) {
    SchemaRules rules = SchemaRules.of(schema.get());
    if (rules.isEmpty()) {
      return errors;
    }
    boolean unnamed = object.object("metadata").text("name", "").isEmpty();
    if (unnamed || errors.stream().anyMatch(error -> BLOCKING.contains(error.reason()))) {
      errors.add(
          FieldError.invalid(
              "<nil>",
              JsonNull.NULL,
              "some validation rules were not checked because the object was invalid; correct the"
                  + " existing errors to complete validation"));
      return errors;
    }
    errors.addAll(rules.check(object, old));
    return errors;
  }
}
