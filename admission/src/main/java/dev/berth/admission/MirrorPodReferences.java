package dev.berth.admission;

import dev.berth.model.reference.PodReferences;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a pod uses objects of the API, which a node may not let a pod of its own making do: it
 * would get to see them.
 */
final class MirrorPodReferences {
  /** Volumes that need nothing of the API. */
  private static final Set<String> HARMLESS =
      Set.of(
          "awsElasticBlockStore",
          "azureDisk",
          "cephfs",
          "cinder",
          "downwardAPI",
          "emptyDir",
          "fc",
          "flexVolume",
          "flocker",
          "gcePersistentDisk",
          "gitRepo",
          "hostPath",
          "image",
          "iscsi",
          "nfs",
          "photonPersistentDisk",
          "portworxVolume",
          "quobyte",
          "rbd",
          "scaleIO",
          "storageos",
          "vsphereVolume");

  private static final Map<String, String> VOLUMES =
      ordered(
          "configMap", "configmaps (via configmap volumes)",
          "secret", "secrets (via secret volumes)",
          "csi", "csidrivers (via CSI volumes)",
          "glusterfs", "endpoints (via glusterFS volumes)",
          "persistentVolumeClaim", "persistentvolumeclaims",
          "ephemeral", "persistentvolumeclaims (via ephemeral volumes)",
          "azureFile", "secrets (via azureFile volumes)");

  private static final Map<String, String> PROJECTED =
      ordered(
          "configMap", "configmaps (via projected volumes)",
          "secret", "secrets (via projected volumes)",
          "serviceAccountToken", "serviceaccounts (via projected volumes)",
          "clusterTrustBundle", "clustertrustbundles",
          "podCertificate", "podcertificates");

  private MirrorPodReferences() {}

  private static Map<String, String> ordered(String... pairs) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  /** What is wrong with a pod that a node makes. */
  static Optional<String> problem(String node, JsonObject pod) {
    return first(pod)
        .map(what -> "node \"%s\" can not create pods that reference %s".formatted(node, what))
        .or(() ->
            unknownVolume(pod)
                .map(what -> "error checking mirror pod for API references: " + what));
  }

  /** The first kind of object that it uses. */
  private static Optional<String> first(JsonObject pod) {
    PodReferences references = PodReferences.of(pod);
    if (!references.serviceAccount().isEmpty()) {
      return Optional.of("serviceaccounts");
    }
    if (!references.secrets().isEmpty()) {
      return Optional.of("secrets");
    }
    if (!references.configMaps().isEmpty()) {
      return Optional.of("configmaps");
    }
    JsonObject spec = pod.object("spec");
    if (!spec.array("resourceClaims").isEmpty()) {
      return Optional.of("resourceclaims");
    }
    return spec.array("volumes").objects().stream()
        .flatMap(volume -> used(volume).stream())
        .findFirst();
  }

  private static Optional<String> used(JsonObject volume) {
    return in(volume, VOLUMES)
        .or(() ->
            volume.object("projected").array("sources").objects().stream()
                .flatMap(source -> in(source, PROJECTED).stream())
                .findFirst());
  }

  private static Optional<String> in(JsonObject object, Map<String, String> known) {
    return known.entrySet().stream()
        .filter(entry -> object.has(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** What is not known may need anything. */
  private static Optional<String> unknownVolume(JsonObject pod) {
    for (JsonObject volume : pod.object("spec").array("volumes").objects()) {
      String name = volume.text("name", "");
      if (volume.has("projected")) {
        for (JsonObject source : volume.object("projected").array("sources").objects()) {
          if (!source.has("downwardAPI")) {
            return Optional.of("unknown source for projected volume \"%s\"".formatted(name));
          }
        }
      } else if (volume.names().stream().noneMatch(HARMLESS::contains)) {
        return Optional.of("unknown volume type for volume  \"%s\"".formatted(name));
      }
    }
    return Optional.empty();
  }
}
