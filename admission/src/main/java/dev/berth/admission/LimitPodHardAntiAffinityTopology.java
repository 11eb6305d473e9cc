package dev.berth.admission;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;

/** Pods may keep others off their node, and off nothing that is larger. */
public final class LimitPodHardAntiAffinityTopology implements AdmissionPlugin {
  private static final String HOST = "kubernetes.io/hostname";

  @Override
  public void validate(AdmissionRequest request) {
    if (request.deletes() || !request.writesCore("pods")) {
      return;
    }
    JsonObject affinity = request.object().object("spec").object("affinity");
    for (JsonObject term :
        affinity
            .object("podAntiAffinity")
            .array("requiredDuringSchedulingIgnoredDuringExecution")
            .objects()) {
      String key = term.text("topologyKey", "");
      if (!key.equals(HOST)) {
        throw ClusterReader.forbidden(
            request,
            "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey %s but only key %s is allowed"
                .formatted(key, HOST));
      }
    }
  }
}
