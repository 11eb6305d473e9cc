package dev.berth.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.DefaultClass;
import dev.berth.policy.persistentvolume.VolumeBinding;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;

/** New claims that do not say which class they want get the default one, if there is one. */
public final class DefaultStorageClass implements AdmissionPlugin {
  private final ClusterReader cluster;
  private final Resource classes;

  public DefaultStorageClass(Registry registry) {
    this.cluster = new ClusterReader(registry);
    this.classes = registry.catalog().get("storage.k8s.io", "v1", "storageclasses");
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    JsonObject claim = request.object();
    if (!request.creates()
        || !request.writesCore("persistentvolumeclaims")
        || PersistentVolumeClaimView.namesClass(claim)) {
      return claim;
    }
    return DefaultClass.of(cluster.list(classes, "").stream().map(StorageClassView::read).toList())
        .map(found -> VolumeBinding.ofClass(claim, found.name()))
        .orElse(claim);
  }
}
