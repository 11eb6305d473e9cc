package dev.berth.apiserver.layout;

import dev.berth.kinds.resource.Resource;
import java.util.Map;
import java.util.Set;

/**
 * The versions in which a kube-apiserver 1.36 stores what is built in. Mostly that is the newest;
 * of what came with 1.36 it is the one before, so that 1.35 can read it.
 */
final class StorageVersions {
  private static final Map<String, String> OLDER =
      Map.of(
          "mutatingadmissionpolicies.admissionregistration.k8s.io", "v1beta1",
          "mutatingadmissionpolicybindings.admissionregistration.k8s.io", "v1beta1");

  /** Those whose servers are behind the main one, which is the one that stores protobuf. */
  private static final Set<String> JSON_GROUPS =
      Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

  /** By group: older versions whose kinds have the fields and numbers of the stored version. */
  private static final Map<String, Set<String>> SAME_FIELDS =
      Map.ofEntries(
          Map.entry("admissionregistration.k8s.io", Set.of("v1alpha1", "v1beta1")),
          Map.entry("apiregistration.k8s.io", Set.of("v1beta1")),
          Map.entry("apps", Set.of("v1beta2")),
          Map.entry("batch", Set.of("v1beta1")),
          Map.entry("certificates.k8s.io", Set.of("v1beta1")),
          Map.entry("coordination.k8s.io", Set.of("v1beta1")),
          Map.entry("flowcontrol.apiserver.k8s.io", Set.of("v1beta3")),
          Map.entry("networking.k8s.io", Set.of("v1beta1")),
          Map.entry("node.k8s.io", Set.of("v1beta1")),
          Map.entry("policy", Set.of("v1beta1")),
          Map.entry("rbac.authorization.k8s.io", Set.of("v1beta1")),
          Map.entry("resource.k8s.io", Set.of("v1beta2")),
          Map.entry("scheduling.k8s.io", Set.of("v1beta1")),
          Map.entry("storage.k8s.io", Set.of("v1alpha1", "v1beta1")));

  /** Kinds that had other fields then. */
  private static final Set<String> OTHER_FIELDS = Set.of("ingresses.networking.k8s.io");

  private StorageVersions() {}

  /** What stored objects say as their apiVersion. */
  static String of(Resource resource) {
    String older = OLDER.get(resource.groupResource().toString());
    return older == null ? resource.kind().apiVersion() : resource.kind().group() + "/" + older;
  }

  static boolean isJson(Resource resource) {
    return JSON_GROUPS.contains(resource.kind().group());
  }

  /** Whether objects of an older version can be read as if they were of the stored one. */
  static boolean hasSameFields(Resource resource, String version) {
    return SAME_FIELDS.getOrDefault(resource.kind().group(), Set.of()).contains(version)
        && !OTHER_FIELDS.contains(resource.groupResource().toString());
  }
}
