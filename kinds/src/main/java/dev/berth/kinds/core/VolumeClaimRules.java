package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims on volumes: once bound they may ask for more room, and change in little else. */
final class VolumeClaimRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final FieldPath SIZE = SPEC.field("resources").key("storage");
  private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
  private static final String ATTRIBUTES = "volumeAttributesClassName";
  private static final String CLASS = "storageClassName";
  private static final List<String> RESIZE_STATES =
      List.of(
          "ControllerResizeInProgress",
          "ControllerResizeInfeasible",
          "NodeResizeInProgress",
          "NodeResizeInfeasible",
          "NodeResizePending");

  @Override
  public JsonObject defaults(JsonObject claim) {
    JsonObject filled =
        FieldRules.within(
            claim, "spec", spec -> FieldRules.orDefault(spec, "volumeMode", "Filesystem"));
    return FieldRules.within(filled, "status", s -> FieldRules.orDefault(s, "phase", "Pending"));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject claim, Instant now) {
    return withSources(claim.with("status", JsonObject.of("phase", "Pending")), JsonObject.EMPTY);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject claim, JsonObject old, Instant now) {
    return withSources(claim, old);
  }

  /**
   * The older of the two fields that say what a volume begins with only knows copies of volumes and
   * of snapshots; of the two, each means the other, too.
   */
  private static JsonObject withSources(JsonObject claim, JsonObject old) {
    JsonObject spec = claim.object("spec");
    JsonObject before = old.object("spec");
    JsonObject source = spec.object("dataSource");
    boolean copied =
        (source.text("kind", "").equals("PersistentVolumeClaim")
                && source.text("apiGroup", "").isEmpty())
            || (source.text("kind", "").equals("VolumeSnapshot")
                && source.text("apiGroup", "").equals("snapshot.storage.k8s.io"));
    if (!copied && !before.has("dataSource") && !before.has("dataSourceRef")) {
      spec = spec.without("dataSource");
    }
    JsonObject reference = spec.object("dataSourceRef");
    if (spec.has("dataSource") && !spec.has("dataSourceRef")) {
      spec = spec.with("dataSourceRef", source);
    } else if (!spec.has("dataSource")
        && spec.has("dataSourceRef")
        && reference.text("namespace", "").isEmpty()) {
      spec = spec.with("dataSource", reference.without("namespace"));
    }
    return spec.equals(claim.object("spec")) ? claim : claim.with("spec", spec);
  }

  @Override
  public List<FieldError> validate(JsonObject claim) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = claim.object("spec");
    if (spec.array("accessModes").isEmpty()) {
      problems.required(SPEC.field("accessModes"), "at least 1 access mode is required");
    }
    problems.addAll(LabelSelectorForm.validate(spec.object("selector"), "spec.selector"));
    VolumeSpecs.accessModes(spec, SPEC, problems);
    Quantity size = size(spec);
    if (size == null) {
      problems.required(SIZE, "");
    } else if (size.signum() <= 0) {
      problems.invalid(SIZE, size.toString(), "must be greater than zero");
    }
    VolumeSpecs.storageClass(spec, SPEC, problems);
    VolumeSpecs.volumeMode(spec, SPEC, problems);
    for (String field : List.of("dataSource", "dataSourceRef")) {
      if (spec.has(field)) {
        source(spec.object(field), SPEC.field(field), problems);
      }
    }
    String attributes = spec.text(ATTRIBUTES, "");
    if (!attributes.isEmpty()) {
      problems.invalid(SPEC.field(ATTRIBUTES), attributes, NameRules.dns1123Subdomain(attributes));
    }
    return problems.all();
  }

  private static void source(JsonObject source, FieldPath at, FieldErrorList problems) {
    problems.present(source, "name", at);
    problems.present(source, "kind", at);
    String group = source.text("apiGroup", "");
    String kind = source.text("kind", "");
    if (group.isEmpty() && !kind.equals("PersistentVolumeClaim")) {
      problems.invalid(
          at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    if (!group.isEmpty()) {
      problems.invalid(at.field("apiGroup"), group, NameRules.dns1123Subdomain(group));
    }
    String namespace = source.text("namespace", "");
    if (!namespace.isEmpty()) {
      problems.invalid(at.field("namespace"), namespace, NameRules.dns1123Label(namespace));
    }
  }

  private static @Nullable Quantity size(JsonObject spec) {
    Object size = spec.object("resources").object("requests").get("storage");
    return size == null ? null : Quantity.fromTree(size);
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject claim, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    // Upstream checks a changed claim twice, and tells of all that is wrong twice.
    problems.addAll(validate(claim));
    JsonObject spec = claim.object("spec");
    JsonObject before = old.object("spec");
    String beta = annotation(old);
    String betaNow = annotation(claim);
    if (!betaNow.equals(beta) && !followsAnnotation(spec, before, beta, betaNow)) {
      problems.invalid(
          FieldPath.of("metadata", "annotations").key(BETA_CLASS), betaNow, "field is immutable");
    }
    if (!allowed(claim, old).equals(spec)) {
      problems.forbidden(
          SPEC,
          "spec is immutable after creation except resources.requests and"
              + " volumeAttributesClassName for bound claims");
    }
    size(spec, before, old.object("status"), problems);
    String mode = spec.text("volumeMode", "");
    if (!mode.equals(before.text("volumeMode", ""))) {
      problems.invalid(FieldPath.of("volumeMode"), mode, "field is immutable");
    }
    String attributes = spec.text(ATTRIBUTES, "");
    boolean attributed = old.object("status").has("currentVolumeAttributesClassName");
    if (attributed && attributes.isEmpty() && before.has(ATTRIBUTES)) {
      problems.forbidden(
          SPEC.field(ATTRIBUTES),
          "update to %s is forbidden when status.currentVolumeAttributesClassName is not nil"
              .formatted(spec.has(ATTRIBUTES) ? "empty string" : "nil"));
    }
    return problems.all();
  }

  private static String annotation(JsonObject claim) {
    return Metadata.of(claim).annotations().text(BETA_CLASS, "");
  }

  private static boolean followsAnnotation(
      JsonObject spec, JsonObject before, String beta, String betaNow) {
    return !beta.isEmpty()
        && !before.has(CLASS)
        && spec.text(CLASS, "").equals(beta)
        && betaNow.isEmpty();
  }

  /** What the specification was, with all that a writer may change as it is now. */
  private static JsonObject allowed(JsonObject claim, JsonObject old) {
    JsonObject spec = claim.object("spec");
    JsonObject expected = old.object("spec");
    if (expected.text("volumeName", "").isEmpty()) {
      expected = FieldRules.keep("volumeName", expected, spec);
    }
    String beta = annotation(old);
    boolean classLater = !expected.has(CLASS) && spec.has(CLASS);
    if (classLater && (beta.isEmpty() || beta.equals(spec.text(CLASS, "")))) {
      expected = FieldRules.keep(CLASS, expected, spec);
    }
    if (claim.object("status").text("phase", "").equals("Bound")) {
      expected = FieldRules.keep(ATTRIBUTES, expected, spec);
      Object size = spec.object("resources").object("requests").get("storage");
      if (size != null) {
        expected =
            FieldRules.within(
                expected,
                "resources",
                r -> FieldRules.within(r, "requests", requests -> requests.with("storage", size)));
      }
    }
    return expected;
  }

  private static void size(
      JsonObject spec, JsonObject before, JsonObject status, FieldErrorList problems) {
    Quantity now = size(spec);
    Quantity was = size(before);
    if (now == null || was == null || now.compareTo(was) >= 0) {
      return;
    }
    Object given = status.object("capacity").get("storage");
    if (now.compareTo(given == null ? Quantity.ZERO : Quantity.fromTree(given)) <= 0) {
      problems.forbidden(
          SPEC.field("resources").field("requests").field("storage"),
          "field can not be less than status.capacity");
    }
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject claim, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject status = claim.object("status");
    amounts(status, "capacity", problems);
    JsonObject states = status.object("allocatedResourceStatuses");
    FieldPath at = STATUS.field("allocatedResourceStatuses");
    for (String name : states.names()) {
      resource(name, at, problems);
      if (!RESIZE_STATES.contains(states.text(name, ""))) {
        problems.oneOf(at, name, RESIZE_STATES);
      }
    }
    status
        .object("allocatedResources")
        .names()
        .forEach(name -> resource(name, STATUS.field("allocatedResources"), problems));
    amounts(status, "allocatedResources", problems);
    return problems.all();
  }

  private static void amounts(JsonObject status, String field, FieldErrorList problems) {
    JsonObject amounts = status.object(field);
    for (String name : amounts.names()) {
      Quantity amount = Quantity.fromTree(String.valueOf(amounts.get(name)));
      if (amount.signum() < 0) {
        problems.invalid(
            STATUS.field(field).key(name), amount.value(), "must be a valid resource quantity");
      }
    }
  }

  private static void resource(String name, FieldPath at, FieldErrorList problems) {
    List<String> wrong = NameRules.qualifiedName(name);
    problems.invalid(at, name, wrong);
    boolean kubernetes = !name.contains("/") || name.contains("kubernetes.io/");
    if (wrong.isEmpty() && kubernetes) {
      problems.oneOf(at, name, List.of("storage"));
    }
  }
}
