package dev.berth.scheduler.cluster;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import java.util.List;

/**
 * What a pod is taken to use when nodes are compared: what it requests, where a container that
 * requests none counts for a usual amount, so that pods without requests are spread too.
 */
final class ScoredRequests {
  private ScoredRequests() {}

  static long cpu(PodSpecView pod, long usual) {
    return filled(pod, ResourceList.CPU, Quantity.ofMillis(usual)).milliValue();
  }

  static long memory(PodSpecView pod, long usual) {
    return filled(pod, ResourceList.MEMORY, Quantity.of(usual)).value();
  }

  private static Quantity filled(PodSpecView pod, String resource, Quantity usual) {
    PodSpecView complete =
        new PodSpecView(
            pod.nodeName(),
            pod.tolerations(),
            filled(pod.containers(), resource, usual),
            filled(pod.initContainers(), resource, usual),
            pod.requests(),
            pod.limits(),
            pod.overhead(),
            pod.hostNetwork(),
            pod.nodeSelector(),
            pod.nodeAffinity(),
            pod.priority(),
            pod.schedulerName(),
            pod.terminationGracePeriodSeconds());
    return EffectiveResources.requests(complete).get(resource);
  }

  private static List<ContainerView> filled(
      List<ContainerView> containers, String resource, Quantity usual) {
    return containers.stream()
        .map(container ->
            container.requests().has(resource)
                ? container
                : withRequest(container, resource, usual))
        .toList();
  }

  private static ContainerView withRequest(
      ContainerView container, String resource, Quantity usual) {
    JsonObject requests = container.requests().with(resource, usual.toString());
    return new ContainerView(
        container.name(),
        requests,
        container.limits(),
        container.alwaysRestarts(),
        container.ports());
  }
}
