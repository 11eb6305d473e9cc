package dev.berth.kinds.core;

import dev.berth.kinds.pod.ClaimSpecValidation;
import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.UnifiedDiff;
import dev.berth.kinds.pod.VolumeDefaults;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/** Claims on volumes: once bound they may ask for more room, and change in little else. */
final class VolumeClaimRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
  private static final String ATTRIBUTES = "volumeAttributesClassName";
  private static final String CLASS = "storageClassName";
  private static final String SIZED = "storage";
  private static final List<String> RESIZE_STATES =
      List.of(
          "ControllerResizeInProgress",
          "ControllerResizeInfeasible",
          "NodeResizeInProgress",
          "NodeResizeInfeasible",
          "NodeResizePending");

  @Override
  public JsonObject defaults(JsonObject claim) {
    JsonObject filled = FieldRules.within(claim, "spec", VolumeDefaults::claim);
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
   * of snapshots; of the two, each means the other, too. Other namespaces' are not used, as long as
   * that is not switched on.
   */
  private static JsonObject withSources(JsonObject claim, JsonObject old) {
    JsonObject spec = claim.object("spec");
    JsonObject before = old.object("spec");
    String namespace = spec.object("dataSourceRef").text("namespace", "");
    if (!namespace.isEmpty() && !before.has("dataSourceRef")) {
      spec = spec.without("dataSourceRef");
    }
    JsonObject source = spec.object("dataSource");
    boolean copied =
        (source.text("kind", "").equals("PersistentVolumeClaim")
                && source.text("apiGroup", "").isEmpty())
            || (source.text("kind", "").equals("VolumeSnapshot")
                && source.text("apiGroup", "").equals("snapshot.storage.k8s.io"));
    boolean older = !before.has("dataSource") && !before.has("dataSourceRef");
    if (!copied && older && !spec.has("dataSourceRef")) {
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
    ClaimSpecValidation.validate(claim.object("spec"), SPEC, problems);
    return problems.all();
  }

  private static Quantity size(JsonObject spec) {
    Object size = spec.object("resources").object("requests").get(SIZED);
    return size == null ? Quantity.ZERO : Quantity.fromTree(size);
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject claim, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = claim.object("spec");
    JsonObject before = old.object("spec");
    String beta = annotation(old);
    String betaNow = annotation(claim);
    if (!betaNow.equals(beta) && !followsAnnotation(spec, before, beta, betaNow)) {
      problems.invalid(
          FieldPath.of("metadata", "annotations").field(BETA_CLASS), betaNow, "field is immutable");
    }
    immutable(claim, old, problems);
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

  /** All of a specification but what a writer may change is as it was. */
  private static void immutable(JsonObject claim, JsonObject old, FieldErrorList problems) {
    JsonObject spec = claim.object("spec");
    JsonObject before = old.object("spec");
    if (before.text("volumeName", "").isEmpty()) {
      before = FieldRules.keep("volumeName", before, spec);
    }
    String beta = annotation(old);
    boolean classLater = !before.has(CLASS) && spec.has(CLASS);
    if (classLater && (beta.isEmpty() || beta.equals(spec.text(CLASS, "")))) {
      spec = spec.without(CLASS);
    }
    if (claim.object("status").text("phase", "").equals("Bound")) {
      spec = FieldRules.keep(ATTRIBUTES, spec, before);
      if (spec.object("resources").has("requests")) {
        JsonObject requests = before.object("resources").object("requests");
        spec =
            FieldRules.within(
                spec,
                "resources",
                r -> FieldRules.within(r, "requests", q -> FieldRules.keep(SIZED, q, requests)));
      }
    }
    JsonObject now = InternalForm.of("PersistentVolumeClaimSpec", spec);
    JsonObject was = InternalForm.of("PersistentVolumeClaimSpec", before);
    if (!now.equals(was)) {
      problems.forbidden(
          SPEC,
          "spec is immutable after creation except resources.requests and"
              + " volumeAttributesClassName for bound claims\n"
              + UnifiedDiff.of(was, now));
    }
  }

  private static void size(
      JsonObject spec, JsonObject before, JsonObject status, FieldErrorList problems) {
    Quantity now = size(spec);
    if (now.compareTo(size(before)) >= 0) {
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
    if (claim.object("spec").array("accessModes").isEmpty()) {
      problems.required(FieldPath.of("Spec", "accessModes"), "");
    }
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
