package dev.berth.kinds.core;

import dev.berth.kinds.pod.AffinityValidation;
import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.UnifiedDiff;
import dev.berth.kinds.pod.VolumeDefaults;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Volumes: where they are, how large, and for whom; where they are never changes. */
final class PersistentVolumeRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final String PHASE_TIME = "lastPhaseTransitionTime";
  private static final List<String> RECLAIM = List.of("Delete", "Recycle", "Retain");

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

  private static final String MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

  /** Where the annotation for mount options may be used. */
  private static final List<String> MOUNTED_WITH_OPTIONS =
      List.of(
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "glusterfs",
          "nfs",
          "rbd",
          "quobyte",
          "iscsi",
          "cinder",
          "cephfs",
          "azureFile",
          "vsphereVolume",
          "azureDisk",
          "photonPersistentDisk");

  @Override
  public JsonObject defaults(JsonObject volume) {
    JsonObject filled = FieldRules.within(volume, "spec", VolumeDefaults::persistent);
    return FieldRules.within(filled, "status", s -> FieldRules.orDefault(s, "phase", "Pending"));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject volume, Instant now) {
    return volume.with(
        "status", JsonObject.of("phase", "Pending").with(PHASE_TIME, Times.format(now)));
  }

  /** When the phase was reached: the server says, unless the client who changes it does. */
  @Override
  public JsonObject prepareThroughSubresource(JsonObject volume, JsonObject old, Instant now) {
    JsonObject status = volume.object("status");
    JsonObject before = old.object("status");
    Object then = before.get(PHASE_TIME);
    boolean same = status.text("phase", "").equals(before.text("phase", ""));
    boolean unsaid = !status.has(PHASE_TIME);
    if (same && unsaid && then != null) {
      return volume.with("status", status.with(PHASE_TIME, then));
    }
    return !same && (unsaid || Objects.equals(status.get(PHASE_TIME), then))
        ? volume.with("status", status.with(PHASE_TIME, Times.format(now)))
        : volume;
  }

  @Override
  public List<FieldError> validate(JsonObject volume) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = volume.object("spec");
    VolumeSpecs.someAccessModes(spec, SPEC, problems);
    VolumeSpecs.accessModes(spec, SPEC, problems);
    capacity(spec, problems);
    problems.oneOf(
        SPEC.field("persistentVolumeReclaimPolicy"),
        spec.text("persistentVolumeReclaimPolicy", ""),
        RECLAIM);
    if (spec.has("nodeAffinity")) {
      FieldPath at = SPEC.field("nodeAffinity").field("required");
      if (spec.object("nodeAffinity").has("required")) {
        AffinityValidation.nodeSelector(
            spec.object("nodeAffinity").object("required"), at, problems);
      } else {
        problems.required(at, "must specify required node constraints");
      }
    }
    PersistentSourceValidation.validate(Metadata.of(volume).name(), spec, SPEC, problems);
    VolumeSpecs.storageClass(spec, SPEC, problems);
    VolumeSpecs.volumeMode(spec, SPEC, problems);
    attributesClass(spec, problems);
    boolean mounted = MOUNTED_WITH_OPTIONS.stream().anyMatch(spec::has);
    if (!mounted && Metadata.of(volume).annotations().has(MOUNT_OPTIONS)) {
      problems.forbidden(
          FieldPath.of("metadata", "annotations").field(MOUNT_OPTIONS),
          "may not specify mount options for this volume type");
    }
    return problems.all();
  }

  private static void capacity(JsonObject spec, FieldErrorList problems) {
    FieldPath at = SPEC.field("capacity");
    JsonObject capacity = spec.object("capacity");
    if (capacity.isEmpty()) {
      problems.required(at, "");
    }
    if (!capacity.has("storage") || capacity.size() > 1) {
      problems.addAll(
          List.of(
              FieldError.notSupported(
                  at.toString(), InternalForm.mapOf(capacity), List.of("storage"))));
    }
    for (String name : capacity.names()) {
      Quantity amount = Quantity.fromTree(String.valueOf(capacity.get(name)));
      if (amount.signum() < 0) {
        problems.invalid(at.key(name), amount.value(), "must be a valid resource quantity");
      }
      if (amount.signum() <= 0) {
        problems.invalid(at.key(name), amount.toString(), "must be greater than zero");
      }
    }
  }

  private static void attributesClass(JsonObject spec, FieldErrorList problems) {
    String name = spec.text("volumeAttributesClassName");
    if (name == null) {
      return;
    }
    FieldPath at = SPEC.field("volumeAttributesClassName");
    if (name.isEmpty()) {
      problems.required(at, "an empty string is disallowed");
    } else {
      problems.invalid(at, name, NameRules.dns1123Subdomain(name));
    }
    if (!spec.has("csi")) {
      problems.required(
          SPEC.field("csi"), "has to be specified when using volumeAttributesClassName");
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject volume, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = volume.object("spec");
    JsonObject before = old.object("spec");
    JsonObject source = InternalForm.of("PersistentVolumeSource", sourceOf(spec, before));
    JsonObject oldSource = InternalForm.of("PersistentVolumeSource", sourceOf(before, before));
    if (!source.equals(oldSource)) {
      problems.forbidden(
          SPEC.field("persistentvolumesource"),
          "spec.persistentvolumesource is immutable after creation\n"
              + UnifiedDiff.of(oldSource, source));
    }
    String mode = spec.text("volumeMode", "");
    if (!mode.equals(before.text("volumeMode", ""))) {
      problems.invalid(FieldPath.of("volumeMode"), mode, "field is immutable");
    }
    if (before.has("nodeAffinity")) {
      affinity(spec, before, problems);
    }
    if (before.has("volumeAttributesClassName") && !spec.has("volumeAttributesClassName")) {
      problems.forbidden(
          SPEC.field("volumeAttributesClassName"), "update from non-nil value to nil is forbidden");
    }
    return problems.all();
  }

  /** Nodes are chosen for good, but a label's older name may give way to its newer one. */
  private static void affinity(JsonObject spec, JsonObject before, FieldErrorList problems) {
    JsonObject now = spec.object("nodeAffinity");
    JsonObject was = before.object("nodeAffinity");
    boolean same =
        spec.has("nodeAffinity")
            && InternalForm.of("VolumeNodeAffinity", RenamedLabels.asBefore(now, was))
                .equals(InternalForm.of("VolumeNodeAffinity", was));
    if (!same) {
      problems.invalid(
          FieldPath.of("nodeAffinity"),
          spec.has("nodeAffinity") ? InternalForm.of("VolumeNodeAffinity", now) : JsonNull.NULL,
          "field is immutable, except for updating from beta label to GA");
    }
  }

  /** Where a volume is. Who lacked a secret to make the volume larger may get one later. */
  private static JsonObject sourceOf(JsonObject spec, JsonObject before) {
    JsonObject source = spec;
    for (String field : NO_SOURCES) {
      source = source.without(field);
    }
    String secret = "controllerExpandSecretRef";
    return source.has("csi") && before.has("csi") && !before.object("csi").has(secret)
        ? source.with("csi", source.object("csi").without(secret))
        : source;
  }
}
