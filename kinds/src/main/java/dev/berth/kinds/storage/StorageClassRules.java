package dev.berth.kinds.storage;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Storage classes: what volumes were made with does not change. */
final class StorageClassRules implements ResourceRules {
  @Override
  public JsonObject defaults(JsonObject storageClass) {
    return FieldRules.orDefault(
        FieldRules.orDefault(storageClass, "reclaimPolicy", "Delete"),
        "volumeBindingMode",
        "Immediate");
  }

  @Override
  public List<FieldError> validate(JsonObject storageClass) {
    return storageClass.text("provisioner", "").isEmpty()
        ? List.of(FieldError.required("provisioner", ""))
        : List.of();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject storageClass, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
      if (!Objects.equals(storageClass.get(field), old.get(field))) {
        errors.add(
            FieldError.forbidden(
                FieldPath.of(field).toString(), "updates to " + field + " are forbidden."));
      }
    }
    errors.addAll(FieldRules.immutable(FieldPath.of("volumeBindingMode"), storageClass, old));
    return errors;
  }
}
