package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Volumes and the claims on them: both begin as pending. */
final class VolumeRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  private static final List<String> RECLAIM = List.of("Delete", "Recycle", "Retain");
  private static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");

  /** What a volume's specification holds besides where the volume is. */
  private static final Set<String> NO_SOURCES =
      Set.of(
          "capacity",
          "accessModes",
          "claimRef",
          "persistentVolumeReclaimPolicy",
          "storageClassName",
          "mountOptions",
          "volumeMode",
          "nodeAffinity",
          "volumeAttributesClassName");

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
    return FieldRules.within(
        object,
        "spec",
        spec -> {
          JsonObject filled = FieldRules.orDefault(spec, "volumeMode", "Filesystem");
          return claim
              ? filled
              : FieldRules.orDefault(filled, "persistentVolumeReclaimPolicy", "Retain");
        });
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object, Instant now) {
    return object.with("status", JsonObject.of("phase", "Pending"));
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = object.object("spec");
    List<String> modes = spec.array("accessModes").texts();
    if (modes.isEmpty()) {
      problems.required(SPEC.field("accessModes"), "at least 1 access mode is required");
    }
    for (String mode : modes) {
      problems.oneOf(SPEC.field("accessModes"), mode, MODES);
    }
    if (modes.contains("ReadWriteOncePod") && modes.size() > 1) {
      problems.forbidden(
          SPEC.field("accessModes"), "may not use ReadWriteOncePod with other access modes");
    }
    FieldPath size =
        claim
            ? FieldPath.of("spec", "resources", "requests").key("storage")
            : FieldPath.of("spec", "capacity").key("storage");
    Object amount = size.get(object);
    if (amount == null) {
      problems.required(size, "");
    } else if (Quantity.fromTree(amount).signum() <= 0) {
      problems.invalid(size, Quantity.fromTree(amount).toString(), "must be greater than zero");
    }
    String storageClass = spec.text("storageClassName", "");
    if (!storageClass.isEmpty()) {
      problems.invalid(
          SPEC.field("storageClassName"), storageClass, NameRules.dns1123Subdomain(storageClass));
    }
    problems.oneOf(SPEC.field("volumeMode"), spec.text("volumeMode", ""), VOLUME_MODES);
    if (!claim) {
      volume(spec, problems);
    }
    return problems.all();
  }

  private static void volume(JsonObject spec, FieldErrorList problems) {
    List<String> sources = spec.names().stream().filter(f -> !NO_SOURCES.contains(f)).toList();
    if (sources.isEmpty()) {
      problems.required(SPEC, "must specify a volume type");
    }
    sources.stream()
        .skip(1)
        .forEach(source ->
            problems.forbidden(SPEC.field(source), "may not specify more than 1 volume type"));
    problems.oneOf(
        SPEC.field("persistentVolumeReclaimPolicy"),
        spec.text("persistentVolumeReclaimPolicy", ""),
        RECLAIM);
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    return claim
        ? claimUpdate(object.object("spec"), old.object("spec"))
        : volumeUpdate(object.object("spec"), old.object("spec"));
  }

  private static List<FieldError> claimUpdate(JsonObject spec, JsonObject before) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject expected = FieldRules.keep("resources", before, spec);
    expected = FieldRules.keep("volumeAttributesClassName", expected, spec);
    if (before.text("volumeName", "").isEmpty()) {
      expected = FieldRules.keep("volumeName", expected, spec);
    }
    if (before.text("storageClassName") == null) {
      expected = FieldRules.keep("storageClassName", expected, spec);
    }
    if (!expected.equals(spec)) {
      errors.add(
          FieldError.forbidden(
              "spec",
              "spec is immutable after creation except resources.requests and"
                  + " volumeAttributesClassName for bound claims"));
    }
    Object now = spec.object("resources").object("requests").get("storage");
    Object was = before.object("resources").object("requests").get("storage");
    if (now != null
        && was != null
        && Quantity.fromTree(now).compareTo(Quantity.fromTree(was)) < 0) {
      errors.add(
          FieldError.forbidden(
              "spec.resources.requests.storage", "field can not be less than status.capacity"));
    }
    return errors;
  }

  private static List<FieldError> volumeUpdate(JsonObject spec, JsonObject before) {
    JsonObject source = spec;
    JsonObject sourceBefore = before;
    for (String field : NO_SOURCES) {
      source = source.without(field);
      sourceBefore = sourceBefore.without(field);
    }
    return source.equals(sourceBefore)
        ? List.of()
        : List.of(
            FieldError.forbidden(
                "spec.persistentvolumesource",
                "spec.persistentvolumesource is immutable after creation"));
  }
}
