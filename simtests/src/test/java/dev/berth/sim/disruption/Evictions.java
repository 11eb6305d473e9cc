package dev.berth.sim.disruption;

import static dev.berth.sim.VirtualCluster.podName;
import static dev.berth.sim.VirtualCluster.tree;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.Target;

/** Asks for evictions. */
public final class Evictions {
  private Evictions() {}

  /** Asks for the eviction of a pod of the namespace {@code default}. */
  public static ApiResult evict(Api api, String pod) {
    return api.create(
        Target.of(Resources.PODS, podName(pod)).subresource("eviction"),
        tree(
            "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'namespace':'default','name':'%s'}}"
                .formatted(pod)));
  }
}
