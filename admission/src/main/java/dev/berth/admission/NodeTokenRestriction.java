package dev.berth.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node gets tokens of a service account only for a pod that runs as it on this node, and for an
 * audience that the pod names: in a projected token, or through the CSI driver of a volume. Other
 * audiences are a matter of roles.
 */
final class NodeTokenRestriction {
  /** Which driver serves volumes that are declared in the way that was usual before drivers. */
  private static final Map<String, String> DRIVERS =
      Map.of(
          "awsElasticBlockStore", "ebs.csi.aws.com",
          "gcePersistentDisk", "pd.csi.storage.gke.io",
          "azureDisk", "disk.csi.azure.com",
          "azureFile", "file.csi.azure.com",
          "cinder", "cinder.csi.openstack.org",
          "vsphereVolume", "csi.vsphere.vmware.com",
          "portworxVolume", "pxd.portworx.com");

  private final ClusterReader cluster;
  private final AudienceAuthorizer audiences;

  NodeTokenRestriction(ClusterReader cluster, AudienceAuthorizer audiences) {
    this.cluster = cluster;
    this.audiences = audiences;
  }

  void check(String node, AdmissionRequest request) {
    JsonObject spec = request.object().object("spec");
    JsonObject reference = spec.object("boundObjectRef");
    String name = reference.text("name", "");
    if (!reference.text("apiVersion", "").equals("v1")
        || !reference.text("kind", "").equals("Pod")
        || name.isEmpty()) {
      throw ClusterReader.forbidden(request, "node requested token not bound to a pod");
    }
    String uid = reference.text("uid", "");
    if (uid.isEmpty()) {
      throw ClusterReader.forbidden(
          request, "node requested token with a pod binding without a uid");
    }
    Resource pods = cluster.core("pods");
    JsonObject pod =
        cluster
            .find(pods, new ObjectName(request.name().namespace(), name))
            .orElseThrow(() -> Failures.notFound(pods.groupResource(), name));
    if (!uid.equals(Metadata.of(pod).uid())) {
      throw ClusterReader.forbidden(
          request,
          "the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated"
              .formatted(uid));
    }
    if (!new PodTree(pod).nodeName().equals(node)) {
      throw ClusterReader.forbidden(
          request, "node requested token bound to a pod scheduled on a different node");
    }
    checkAudience(request, pod, spec.array("audiences").texts());
  }

  private void checkAudience(AdmissionRequest request, JsonObject pod, List<String> asked) {
    if (asked.size() > 1) {
      throw ClusterReader.forbidden(request, "node may only request 0 or 1 audiences");
    }
    String audience = asked.isEmpty() ? "" : asked.getFirst();
    List<String> problems = new ArrayList<>();
    if (isNamedBy(pod, audience, problems)) {
      return;
    }
    if (!problems.isEmpty()) {
      String all =
          problems.size() == 1 ? problems.getFirst() : "[" + String.join(", ", problems) + "]";
      throw ClusterReader.forbidden(
          request, "error validating audience \"%s\": %s".formatted(audience, all));
    }
    if (!audiences.mayRequest(request.user(), audience, request.name())) {
      throw ClusterReader.forbidden(
          request,
          "audience \"%s\" not found in pod spec volume, %s is not authorized to request tokens for this audience"
              .formatted(audience, request.user().name()));
    }
  }

  private boolean isNamedBy(JsonObject pod, String audience, List<String> problems) {
    for (JsonObject volume : pod.object("spec").array("volumes").objects()) {
      boolean projected =
          volume.object("projected").array("sources").objects().stream()
              .filter(source -> source.has("serviceAccountToken"))
              .anyMatch(source ->
                  source.object("serviceAccountToken").text("audience", "").equals(audience));
      if (projected || driver(volume).filter(d -> asksFor(d, audience, problems)).isPresent()) {
        return true;
      }
    }
    return PodClaim.of(pod).stream()
        .anyMatch(claim ->
            driver(claim.claim(), problems)
                .filter(driver -> asksFor(driver, audience, problems))
                .isPresent());
  }

  /** The driver that a volume of a pod, or a persistent one, names by itself. */
  private static Optional<String> driver(JsonObject source) {
    if (source.has("csi")) {
      return Optional.of(source.object("csi").text("driver", ""));
    }
    return DRIVERS.entrySet().stream()
        .filter(entry -> source.has(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** The driver behind a claim. */
  private Optional<String> driver(ObjectName claim, List<String> problems) {
    return find(cluster.core("persistentvolumeclaims"), claim, problems)
        .map(found -> ObjectName.of(found.object("spec").text("volumeName", "")))
        .flatMap(volume -> find(cluster.core("persistentvolumes"), volume, problems))
        .flatMap(found -> driver(found.object("spec")));
  }

  private boolean asksFor(String driver, String audience, List<String> problems) {
    Resource drivers = cluster.registry().catalog().get("storage.k8s.io", "v1", "csidrivers");
    return find(drivers, ObjectName.of(driver), problems)
        .filter(found ->
            found.object("spec").array("tokenRequests").objects().stream()
                .anyMatch(request -> request.text("audience", "").equals(audience)))
        .isPresent();
  }

  private Optional<JsonObject> find(Resource resource, ObjectName name, List<String> problems) {
    Optional<JsonObject> found = cluster.find(resource, name);
    if (found.isEmpty()) {
      problems.add(Failures.notFound(resource.groupResource(), name.name()).status().message());
    }
    return found;
  }
}
