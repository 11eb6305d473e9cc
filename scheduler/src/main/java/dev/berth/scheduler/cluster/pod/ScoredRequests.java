package dev.berth.scheduler.cluster.pod;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pod.EffectiveResources;
import java.util.List;

/**
 * What a pod is taken to use when nodes are compared, so that pods without requests are spread too:
 *
 * <ol>
 *   <li>what it requests;
 *   <li>a container that says nothing about a resource counts for a usual amount of it; zero is
 *       something;
 *   <li>unless the pod requests something as a whole, and that or its containers name the resource.
 * </ol>
 */
final class ScoredRequests {
  private static final Quantity USUAL_CPU = Quantity.ofMillis(100);
  private static final Quantity USUAL_MEMORY = Quantity.of(200L * 1024 * 1024);

  private ScoredRequests() {}

  /**
   * The cpu in thousandths.
   *
   * @param requests the pod's effective requests
   */
  static long cpu(PodSpecView pod, ResourceList requests) {
    return scored(pod, requests, ResourceList.CPU, USUAL_CPU).milliValue();
  }

  static long memory(PodSpecView pod, ResourceList requests) {
    return scored(pod, requests, ResourceList.MEMORY, USUAL_MEMORY).value();
  }

  private static Quantity scored(
      PodSpecView pod, ResourceList requests, String resource, Quantity usual) {
    boolean settled = !pod.requests().isEmpty() && requests.has(resource);
    if (settled || (named(pod.containers(), resource) && named(pod.initContainers(), resource))) {
      return requests.get(resource);
    }
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

  private static boolean named(List<ContainerView> containers, String resource) {
    return containers.stream().allMatch(container -> container.requests().has(resource));
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
    return new ContainerView(
        container.name(),
        container.requests().with(resource, usual.toString()),
        container.limits(),
        container.alwaysRestarts(),
        container.ports());
  }
}
