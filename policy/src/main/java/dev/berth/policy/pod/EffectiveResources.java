package dev.berth.policy.pod;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a pod takes of its node. For each resource:
 *
 * <ol>
 *   <li>Containers run side by side, so their amounts add up. Sidecars (init containers that always
 *       restart) run beside them and add to that sum.
 *   <li>Init containers run one after the other before that. While one runs, so do the sidecars
 *       that were started before it: it needs its own amount plus theirs.
 *   <li>The pod needs the greatest of all these.
 *   <li>Where the pod sets an amount for itself as a whole, that one counts instead.
 *   <li>The overhead of running a pod comes on top; on top of a limit only if there is one.
 * </ol>
 */
public final class EffectiveResources {
  private EffectiveResources() {}

  public static ResourceList requests(PodSpecView pod) {
    ResourceList requests =
        PodLevelResources.placeOver(ofContainers(pod, ContainerView::requests), pod.requests());
    return requests.plus(ResourceList.read(pod.overhead()));
  }

  public static ResourceList limits(PodSpecView pod) {
    ResourceList limits =
        PodLevelResources.placeOver(ofContainers(pod, ContainerView::limits), pod.limits());
    for (var overhead : ResourceList.read(pod.overhead()).amounts().entrySet()) {
      Quantity limit = limits.get(overhead.getKey());
      if (limit.signum() != 0) {
        limits = limits.with(overhead.getKey(), limit.plus(overhead.getValue()));
      }
    }
    return limits;
  }

  private static ResourceList ofContainers(
      PodSpecView pod, Function<ContainerView, JsonObject> amounts) {
    List<ResourceList> running = new ArrayList<>();
    pod.containers().forEach(c -> running.add(ResourceList.read(amounts.apply(c))));
    SortedMap<String, Quantity> sidecars = new TreeMap<>();
    SortedMap<String, Quantity> starting = new TreeMap<>();
    for (ContainerView init : pod.initContainers()) {
      // Of what it does not name, the sidecars before it need no more than they did already.
      ResourceList.read(amounts.apply(init))
          .amounts()
          .forEach((name, amount) -> {
            Quantity withInit = sidecars.getOrDefault(name, Quantity.ZERO).plus(amount);
            starting.merge(name, withInit, (was, is) -> is.compareTo(was) > 0 ? is : was);
            if (init.alwaysRestarts()) {
              sidecars.put(name, withInit);
            }
          });
    }
    running.add(new ResourceList(sidecars));
    return ResourceList.sum(running).max(new ResourceList(starting));
  }
}
