package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.Protection;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;

/**
 * New claims, volumes and VolumeAttributesClasses have a finalizer that keeps them as long as
 * somebody uses them.
 */
public final class StorageObjectInUseProtection implements AdmissionPlugin {

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (!request.creates()) {
      return request.object();
    }
    if (request.writesCore("persistentvolumeclaims")) {
      return Metadata.withFinalizer(request.object(), Protection.OF_CLAIMS);
    }
    if (request.writesCore("persistentvolumes")) {
      return Metadata.withFinalizer(request.object(), Protection.OF_VOLUMES);
    }
    return request.writes("storage.k8s.io", "volumeattributesclasses")
        ? Metadata.withFinalizer(request.object(), Protection.OF_ATTRIBUTES_CLASSES)
        : request.object();
  }
}
