package dev.berth.scheduler.cluster.device;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.resourceclaim.ExtendedRequests;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about a pod's claims on devices before the pod is bound to a node. Nothing for
 * most pods.
 *
 * @param claims all that the pod names
 * @param extended a claim that is to be made for its extended resources; null if none is
 */
public record DevicePlan(
    String node, List<ObjectName> claims, List<Write> writes, @Nullable Extended extended) {

  public DevicePlan {
    claims = List.copyOf(claims);
    writes = List.copyOf(writes);
  }

  public boolean isEmpty() {
    return claims.isEmpty() && extended == null;
  }

  /** A claim that is to be made for a pod's extended resources, and what it is to get. */
  public record Extended(String podUid, ExtendedRequests requests, JsonObject allocation) {}

  /**
   * A claim that is to be reserved for the pod.
   *
   * @param allocation what it is to get; null if it has that already
   */
  public record Write(ResourceClaimView claim, @Nullable JsonObject allocation) {}
}
