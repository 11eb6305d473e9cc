package dev.berth.policy.autoscale;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.policy.pod.EffectiveResources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What pods request of a resource, in thousandths: of one container if that is named, else what the
 * pod requests as a whole if it does, else the sum of its containers and sidecars, of which each
 * must request something.
 *
 * @param amounts by name of the pod
 * @param problem why they are not known; empty if they are
 */
record PodRequestAmounts(Map<String, Long> amounts, String problem) {

  /**
   * @param container empty for whole pods
   */
  static PodRequestAmounts of(Collection<MeasuredPod> pods, String container, String resource) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    for (MeasuredPod pod : pods) {
      boolean isWhole = container.isEmpty() && !pod.spec().requests().isEmpty();
      PodRequestAmounts one =
          isWhole ? ofPod(pod, resource) : ofContainers(pod, container, resource);
      if (!one.problem.isEmpty()) {
        return one;
      }
      amounts.putAll(one.amounts);
    }
    return new PodRequestAmounts(amounts, "");
  }

  private static PodRequestAmounts unknown(String problem, String... words) {
    return new PodRequestAmounts(Map.of(), problem.formatted((Object[]) words));
  }

  private static PodRequestAmounts ofPod(MeasuredPod pod, String resource) {
    ResourceList requests = EffectiveResources.requests(pod.spec());
    return requests.has(resource)
        ? new PodRequestAmounts(Map.of(pod.name(), requests.get(resource).milliValue()), "")
        : unknown("missing pod-level request for %s in Pod %s", resource, pod.name());
  }

  private static PodRequestAmounts ofContainers(
      MeasuredPod pod, String container, String resource) {
    long sum = 0;
    boolean isFound = container.isEmpty();
    for (ContainerView each : running(pod.spec())) {
      if (container.isEmpty() || container.equals(each.name())) {
        ResourceList requests = ResourceList.read(each.requests());
        if (!requests.has(resource)) {
          return unknown(
              "missing request for %s in container %s of Pod %s",
              resource, each.name(), pod.name());
        }
        sum += requests.get(resource).milliValue();
        isFound = true;
      }
    }
    return isFound
        ? new PodRequestAmounts(Map.of(pod.name(), sum), "")
        : unknown("container %s not found in Pod %s", container, pod.name());
  }

  private static List<ContainerView> running(PodSpecView spec) {
    List<ContainerView> running = new ArrayList<>(spec.containers());
    spec.initContainers().stream().filter(ContainerView::alwaysRestarts).forEach(running::add);
    return running;
  }
}
