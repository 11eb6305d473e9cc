package dev.berth.kinds.resource;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What Kubernetes looks at when an object is created or changed, and in which order. All metadata
 * are looked at for all kinds; after that, each kind does so again, or not, before its own rules or
 * after them. What is wrong is told as often as it was looked at, so the order is the kind's too.
 */
public final class UpdateSteps {
  private static final List<Step> USUAL = List.of(Step.METADATA_CHANGE, Step.OBJECT, Step.CHANGE);

  private static final GroupKind BUDGET = new GroupKind("policy", "PodDisruptionBudget");

  /** Kinds that do not look at metadata by themselves. */
  private static final Set<GroupKind> WITHOUT_METADATA = Set.of(BUDGET, new GroupKind("", "Event"));

  private static final Map<GroupKind, List<Step>> STEPS = steps();

  /** Kinds whose status' path looks at nothing but the status. */
  private static final List<GroupKind> STATUS_ALONE =
      List.of(BUDGET, new GroupKind("batch", "CronJob"));

  private enum Step {
    /** The metadata by the rules of the kind. */
    METADATA,
    /** The metadata as a change. */
    METADATA_CHANGE,
    /** The object, whatever it was. */
    OBJECT,
    /** What changed in it. */
    CHANGE
  }

  private UpdateSteps() {}

  /** What is wrong with a new object. */
  public static List<FieldError> validateNew(Resource resource, JsonObject object) {
    List<FieldError> errors = new ArrayList<>();
    if (!WITHOUT_METADATA.contains(resource.groupKind())) {
      errors.addAll(MetadataValidation.validate(resource, object));
    }
    errors.addAll(resource.rules().validate(object));
    return errors.isEmpty() ? MetadataValidation.validateCommon(resource, object) : errors;
  }

  /** What is wrong with a changed object. */
  public static List<FieldError> validate(Resource resource, JsonObject object, JsonObject old) {
    boolean metadata = !MetadataValidation.isSame(object, old);
    List<FieldError> errors = common(resource, object, old, metadata);
    for (Step step : STEPS.getOrDefault(resource.groupKind(), USUAL)) {
      switch (step) {
        case METADATA -> {
          if (metadata) {
            errors.addAll(MetadataValidation.validate(resource, object));
          }
        }
        case METADATA_CHANGE -> {
          if (metadata) {
            errors.addAll(MetadataValidation.validateUpdate(resource, object, old));
          }
        }
        case OBJECT -> errors.addAll(resource.rules().validateReplacing(object, old));
        case CHANGE -> errors.addAll(resource.rules().validateUpdate(object, old));
      }
    }
    return errors;
  }

  /** What is wrong with an object that was changed through a subresource. */
  public static List<FieldError> validate(
      Resource resource, String subresource, JsonObject object, JsonObject old) {
    boolean metadata = !MetadataValidation.isSame(object, old);
    List<FieldError> errors = common(resource, object, old, metadata);
    if (metadata && !STATUS_ALONE.contains(resource.groupKind())) {
      errors.addAll(MetadataValidation.validateUpdate(resource, object, old));
    }
    errors.addAll(resource.rules().validateSubresource(subresource, object, old));
    return errors;
  }

  private static List<FieldError> common(
      Resource resource, JsonObject object, JsonObject old, boolean metadata) {
    List<FieldError> errors = new ArrayList<>();
    if (metadata) {
      errors.addAll(MetadataValidation.validateCommon(resource, object));
      errors.addAll(MetadataValidation.validateUpdate(object, old));
    }
    return errors;
  }

  private static Map<GroupKind, List<Step>> steps() {
    Map<GroupKind, List<Step>> steps = new HashMap<>();
    List<Step> objectFirst = List.of(Step.METADATA, Step.OBJECT, Step.METADATA_CHANGE, Step.CHANGE);
    List<Step> changeFirst = List.of(Step.METADATA_CHANGE, Step.METADATA, Step.OBJECT, Step.CHANGE);
    List<Step> objectAlone = List.of(Step.METADATA, Step.OBJECT, Step.CHANGE);
    String storage = "storage.k8s.io";
    String rbac = "rbac.authorization.k8s.io";
    String networking = "networking.k8s.io";
    put(steps, objectFirst, "", "Namespace", "Node");
    put(steps, objectFirst, "batch", "Job");
    put(steps, objectFirst, storage, "StorageClass", "CSIStorageCapacity");
    put(steps, objectFirst, rbac, "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding");
    put(steps, objectFirst, "node.k8s.io", "RuntimeClass");
    put(steps, objectFirst, networking, "IPAddress");
    put(steps, objectFirst, "resource.k8s.io", "ResourceClaimTemplate");
    put(steps, objectFirst, "resource.k8s.io", "DeviceClass", "ResourceClaim");
    put(steps, objectAlone, "", "LimitRange");
    put(
        steps,
        objectAlone,
        "admissionregistration.k8s.io",
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding");
    put(steps, objectAlone, storage, "VolumeAttachment", "CSINode");
    put(steps, objectAlone, "discovery.k8s.io", "EndpointSlice");
    put(steps, objectAlone, "flowcontrol.apiserver.k8s.io", "FlowSchema");
    put(steps, objectAlone, "flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration");
    put(steps, changeFirst, "", "PersistentVolumeClaim", "ServiceAccount", "Endpoints");
    put(steps, changeFirst, "apps", "ControllerRevision");
    put(steps, changeFirst, networking, "IngressClass", "Ingress");
    put(steps, changeFirst, "apiregistration.k8s.io", "APIService");
    put(
        steps,
        List.of(Step.METADATA_CHANGE, Step.CHANGE, Step.METADATA, Step.OBJECT),
        storage,
        "VolumeAttributesClass");
    put(
        steps,
        List.of(Step.METADATA, Step.OBJECT, Step.CHANGE, Step.METADATA_CHANGE),
        "certificates.k8s.io",
        "CertificateSigningRequest");
    put(
        steps,
        List.of(Step.METADATA_CHANGE, Step.CHANGE, Step.METADATA, Step.OBJECT),
        "",
        "Secret",
        "ConfigMap");
    // Upstream validates a changed volume twice.
    put(
        steps,
        List.of(Step.METADATA, Step.OBJECT, Step.METADATA, Step.OBJECT, Step.CHANGE),
        "",
        "PersistentVolume");
    put(steps, List.of(Step.METADATA_CHANGE, Step.CHANGE), "scheduling.k8s.io", "PriorityClass");
    put(steps, List.of(Step.METADATA_CHANGE, Step.CHANGE, Step.OBJECT), "apps", "DaemonSet");
    WITHOUT_METADATA.forEach(kind -> steps.put(kind, List.of(Step.OBJECT, Step.CHANGE)));
    return Map.copyOf(steps);
  }

  private static void put(
      Map<GroupKind, List<Step>> steps, List<Step> those, String group, String... kinds) {
    for (String kind : kinds) {
      steps.put(new GroupKind(group, kind), those);
    }
  }
}
