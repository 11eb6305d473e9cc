package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Volumes and the claims on them: both begin as pending. */
final class VolumeRules implements ResourceRules {
  private final boolean claim;

  private VolumeRules(boolean claim) {
    this.claim = claim;
  }

  static VolumeRules volumes() {
    return new VolumeRules(false);
  }

  static VolumeRules claims() {
    return new VolumeRules(true);
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return Fields.within(
        object,
        "spec",
        spec -> {
          JsonObject filled = Fields.orDefault(spec, "volumeMode", "Filesystem");
          return claim
              ? filled
              : Fields.orDefault(filled, "persistentVolumeReclaimPolicy", "Retain");
        });
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object, Instant now) {
    return object.with("status", JsonObject.of("phase", "Pending"));
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject spec = object.object("spec");
    if (spec.array("accessModes").isEmpty()) {
      errors.add(FieldError.required("spec.accessModes", "at least 1 access mode is required"));
    }
    FieldPath size =
        claim
            ? FieldPath.of("spec", "resources", "requests").key("storage")
            : FieldPath.of("spec", "capacity").key("storage");
    if (size.get(object) == null) {
      errors.add(FieldError.required(size.toString(), ""));
    }
    return errors;
  }
}
