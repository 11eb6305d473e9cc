package dev.berth.admission;

import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;

/** A claim grows only once it is bound, and if its storage class says that volumes can grow. */
public final class PersistentVolumeClaimResize implements AdmissionPlugin {
  private final ClusterReader cluster;

  public PersistentVolumeClaimResize(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (request.operation() != Operation.UPDATE
        || !request.writesCore("persistentvolumeclaims")
        || size(request.object()).compareTo(size(request.old())) <= 0) {
      return;
    }
    if (!request.old().object("status").text("phase", "").equals("Bound")) {
      throw ClusterReader.forbidden(request, "Only bound persistent volume claims can be expanded");
    }
    if (!canGrow(request)) {
      throw ClusterReader.forbidden(
          request,
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize");
    }
  }

  private static Quantity size(JsonObject claim) {
    JsonObject requests = claim.object("spec").object("resources").object("requests");
    return ResourceList.read(requests).get(ResourceList.STORAGE);
  }

  private boolean canGrow(AdmissionRequest request) {
    String name = storageClass(request.object());
    return !name.isEmpty()
        && name.equals(storageClass(request.old()))
        && cluster
            .find(
                cluster.registry().catalog().get("storage.k8s.io", "v1", "storageclasses"),
                ObjectName.of(name))
            .filter(found -> found.flag("allowVolumeExpansion", false))
            .isPresent();
  }

  /** The older annotation counts, if it is there. */
  private static String storageClass(JsonObject claim) {
    return Metadata.of(claim)
        .annotation(WellKnownAnnotations.BETA_STORAGE_CLASS)
        .orElse(claim.object("spec").text("storageClassName", ""));
  }
}
