package dev.berth.scheduler.cluster.device;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about a pod's claims on devices before the pod is bound to a node. Nothing for
 * most pods.
 *
 * @param claims all that the pod uses
 */
public record DevicePlan(String node, List<ObjectName> claims, List<Write> writes) {

  public DevicePlan {
    claims = List.copyOf(claims);
    writes = List.copyOf(writes);
  }

  public boolean isEmpty() {
    return claims.isEmpty();
  }

  /**
   * A claim that is to be reserved for the pod.
   *
   * @param allocation what it is to get; null if it has that already
   */
  public record Write(ResourceClaimView claim, @Nullable JsonObject allocation) {}
}
