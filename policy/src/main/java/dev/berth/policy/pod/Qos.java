package dev.berth.policy.pod;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The class of service of a pod, from the CPU and the memory that it requests and is limited to.
 *
 * <ul>
 *   <li>BestEffort: it requests nothing and is limited in nothing. Zero is nothing.
 *   <li>Guaranteed: every container, init containers included, is limited in both, and in sum it
 *       requests exactly what it is limited to.
 *   <li>Burstable: everything else.
 * </ul>
 *
 * <p>A pod that has amounts of its own (pod-level resources) is judged by those alone.
 */
public final class Qos {
  private static final List<String> JUDGED = List.of(ResourceList.CPU, ResourceList.MEMORY);

  private Qos() {}

  public static QosClass of(PodSpecView pod) {
    if (PodLevelResources.areSet(pod)) {
      return judge(positive(pod.requests()), positive(pod.limits()), true);
    }
    ResourceList requests = ResourceList.EMPTY;
    ResourceList limits = ResourceList.EMPTY;
    boolean allLimited = true;
    for (ContainerView container : allContainers(pod)) {
      ResourceList limit = positive(container.limits());
      requests = requests.plus(positive(container.requests()));
      limits = limits.plus(limit);
      allLimited &= limit.amounts().keySet().containsAll(JUDGED);
    }
    return judge(requests, limits, allLimited);
  }

  private static QosClass judge(ResourceList requests, ResourceList limits, boolean allLimited) {
    if (requests.isEmpty() && limits.isEmpty()) {
      return QosClass.BEST_EFFORT;
    }
    boolean bothLimited = limits.amounts().keySet().containsAll(JUDGED);
    return allLimited && bothLimited && requests.equals(limits)
        ? QosClass.GUARANTEED
        : QosClass.BURSTABLE;
  }

  private static List<ContainerView> allContainers(PodSpecView pod) {
    return Stream.concat(pod.containers().stream(), pod.initContainers().stream()).toList();
  }

  /** What is judged and more than zero. */
  private static ResourceList positive(JsonObject amounts) {
    ResourceList all = ResourceList.read(amounts);
    if (all.isEmpty()) {
      return all;
    }
    SortedMap<String, Quantity> positive = new TreeMap<>();
    for (String judged : JUDGED) {
      if (all.get(judged).signum() > 0) {
        positive.put(judged, all.get(judged));
      }
    }
    return new ResourceList(positive);
  }
}
