package dev.berth.policy.resourceclaim;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * What is known about a pod's claims.
 *
 * @param pod as it is written
 * @param byName the claims that there are, of those that the pod or its status names
 * @param owned the claims that the pod owns
 * @param templates those that the pod names, of those that there are
 */
public record PodClaims(
    JsonObject pod,
    Map<String, ResourceClaimView> byName,
    List<ResourceClaimView> owned,
    Map<String, JsonObject> templates) {

  public PodClaims {
    byName = Map.copyOf(byName);
    owned = List.copyOf(owned);
    templates = Map.copyOf(templates);
  }
}
