package dev.berth.kinds.resource;

import dev.berth.model.resource.GroupKind;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How Kubernetes treats writes of its own kinds: which updates insist on a resourceVersion, what
 * makes a new generation where it is not the specification, and what a deletion answers. In one
 * table, since nothing else about a kind says it.
 */
final class UpdateFacts {
  private static final String ADMISSION = "admissionregistration.k8s.io";
  private static final String STORAGE = "storage.k8s.io";

  /** Kinds of which an update without a resourceVersion is refused. */
  private static final Set<GroupKind> INSISTING =
      Set.of(
          new GroupKind(ADMISSION, "MutatingAdmissionPolicy"),
          new GroupKind(ADMISSION, "MutatingAdmissionPolicyBinding"),
          new GroupKind(ADMISSION, "MutatingWebhookConfiguration"),
          new GroupKind(ADMISSION, "ValidatingAdmissionPolicy"),
          new GroupKind(ADMISSION, "ValidatingAdmissionPolicyBinding"),
          new GroupKind(ADMISSION, "ValidatingWebhookConfiguration"),
          new GroupKind("apiextensions.k8s.io", "CustomResourceDefinition"),
          new GroupKind("apiregistration.k8s.io", "APIService"),
          new GroupKind("certificates.k8s.io", "ClusterTrustBundle"),
          new GroupKind("certificates.k8s.io", "PodCertificateRequest"),
          new GroupKind("coordination.k8s.io", "Lease"),
          new GroupKind("coordination.k8s.io", "LeaseCandidate"),
          new GroupKind("internal.apiserver.k8s.io", "StorageVersion"),
          new GroupKind("node.k8s.io", "RuntimeClass"),
          new GroupKind("policy", "PodDisruptionBudget"),
          new GroupKind("resource.k8s.io", "ResourcePoolStatusRequest"),
          new GroupKind("storagemigration.k8s.io", "StorageVersionMigration"),
          new GroupKind(STORAGE, "CSIDriver"),
          new GroupKind(STORAGE, "CSINode"),
          new GroupKind(STORAGE, "CSIStorageCapacity"),
          new GroupKind(STORAGE, "VolumeAttachment"));

  /** The fields whose changes are counted, of kinds that count others than the specification. */
  private static final Map<GroupKind, List<String>> COUNTED =
      Map.of(
          new GroupKind("scheduling.k8s.io", "PriorityClass"), List.of(),
          new GroupKind("", "PodTemplate"), List.of("template"),
          new GroupKind(ADMISSION, "MutatingWebhookConfiguration"), List.of("webhooks"),
          new GroupKind(ADMISSION, "ValidatingWebhookConfiguration"), List.of("webhooks"),
          new GroupKind("discovery.k8s.io", "EndpointSlice"),
              List.of("addressType", "endpoints", "ports"));

  /** Kinds of which who deletes an object is shown it. */
  private static final Set<GroupKind> SHOWN =
      Set.of(
          new GroupKind("", "PersistentVolume"),
          new GroupKind("", "PersistentVolumeClaim"),
          new GroupKind("", "Pod"),
          new GroupKind("", "PodTemplate"),
          new GroupKind("", "ResourceQuota"),
          new GroupKind("", "Service"),
          new GroupKind("", "ServiceAccount"),
          new GroupKind("resource.k8s.io", "DeviceClass"),
          new GroupKind("resource.k8s.io", "ResourceClaim"),
          new GroupKind("resource.k8s.io", "ResourceClaimTemplate"),
          new GroupKind("resource.k8s.io", "ResourceSlice"),
          new GroupKind(STORAGE, "CSIDriver"),
          new GroupKind(STORAGE, "CSINode"),
          new GroupKind(STORAGE, "StorageClass"),
          new GroupKind(STORAGE, "VolumeAttachment"),
          new GroupKind(STORAGE, "VolumeAttributesClass"));

  private static final List<String> SPEC = List.of("spec");

  /** A slice that is in another service by its labels is a new generation, too. */
  private static final GroupKind COUNTS_LABELS = new GroupKind("discovery.k8s.io", "EndpointSlice");

  /** Its annotations are copied to its sets of replicas, so those are a new generation, too. */
  private static final GroupKind COUNTS_ANNOTATIONS = new GroupKind("apps", "Deployment");

  /** Changes are counted from the first one on, and a new object has no generation. */
  private static final GroupKind COUNTS_FROM_ZERO = new GroupKind(STORAGE, "CSIDriver");

  /** A cluster's namespaces are deleted one by one. */
  private static final GroupKind DELETED_ONE_BY_ONE = new GroupKind("", "Namespace");

  private UpdateFacts() {}

  static boolean deletesCollections(GroupKind kind) {
    return !kind.equals(DELETED_ONE_BY_ONE);
  }

  static boolean insistsOnRevision(GroupKind kind) {
    return INSISTING.contains(kind);
  }

  static boolean showsDeleted(GroupKind kind) {
    return SHOWN.contains(kind);
  }

  /** Whether the kind counts, whatever it declares. */
  static boolean counts(GroupKind kind) {
    return COUNTED.containsKey(kind) || kind.equals(COUNTS_FROM_ZERO);
  }

  static boolean countsFromZero(GroupKind kind) {
    return kind.equals(COUNTS_FROM_ZERO);
  }

  static boolean countsLabels(GroupKind kind) {
    return kind.equals(COUNTS_LABELS);
  }

  static boolean countsAnnotations(GroupKind kind) {
    return kind.equals(COUNTS_ANNOTATIONS);
  }

  static List<String> counted(GroupKind kind) {
    return COUNTED.getOrDefault(kind, SPEC);
  }
}
