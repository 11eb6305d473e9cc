package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.Protection;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;

/** New claims and volumes have a finalizer that keeps them as long as somebody uses them. */
public final class StorageObjectInUseProtection implements AdmissionPlugin {

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!request.creates()) {
      return request.object();
    }
    if (request.writesCore("persistentvolumeclaims")) {
      return Metadata.withFinalizer(request.object(), Protection.OF_CLAIMS);
    }
    return request.writesCore("persistentvolumes")
        ? Metadata.withFinalizer(request.object(), Protection.OF_VOLUMES)
        : request.object();
  }
}
