package dev.berth.agent.device;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Metrics;
import java.util.List;
import java.util.Optional;

/** Counts what is asked of the socket of {@link PodResourcesLister}, under a kubelet's names. */
public final class CountedPodResources implements PodResourcesLister {
  private final PodResourcesLister counted;
  private final Counter requests;
  private final Counter lists;
  private final Counter gets;
  private final Counter getErrors;
  private final Counter allocatable;

  public CountedPodResources(PodResourcesLister counted, Metrics metrics) {
    this.counted = counted;
    requests = counter(metrics, "requests_total", "Requests to the PodResources endpoint.");
    lists = counter(metrics, "requests_list", "Requests to list what pods have.");
    gets = counter(metrics, "requests_get", "Requests to tell what a pod has.");
    getErrors = counter(metrics, "errors_get", "Requests for a pod that is not here.");
    allocatable =
        counter(metrics, "requests_get_allocatable", "Requests to tell what pods could have.");
    // These two never fail here.
    counter(metrics, "errors_list", "Requests to list what pods have that failed.");
    counter(
        metrics, "errors_get_allocatable", "Requests to tell what pods could have that failed.");
  }

  private static Counter counter(Metrics metrics, String name, String help) {
    return metrics
        .counters("kubelet_pod_resources_endpoint_" + name, help, "server_api_version")
        .with("v1");
  }

  @Override
  public List<PodDeviceList> list() {
    requests.increment();
    lists.increment();
    return counted.list();
  }

  @Override
  public Optional<PodDeviceList> get(String namespace, String pod) {
    requests.increment();
    gets.increment();
    Optional<PodDeviceList> found = counted.get(namespace, pod);
    if (found.isEmpty()) {
      getErrors.increment();
    }
    return found;
  }

  @Override
  public Owned allocatable() {
    requests.increment();
    allocatable.increment();
    return counted.allocatable();
  }
}
