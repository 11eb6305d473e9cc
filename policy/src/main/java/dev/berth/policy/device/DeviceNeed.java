package dev.berth.policy.device;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a container asks for of a device plugin's resource.
 *
 * @param isPassedOn whether the devices are free again before the next containers start, since the
 *     container is an init container that ends
 */
public record DeviceNeed(String container, String resource, long count, boolean isPassedOn) {

  /**
   * What the containers of a pod ask for, in the order in which they are given it: init containers
   * first. Of an extended resource a container requests as much as its limit says, so limits tell
   * all.
   *
   * @param isDevice whether a resource is a device plugin's
   */
  public static List<DeviceNeed> of(PodSpecView pod, Predicate<String> isDevice) {
    List<DeviceNeed> needs = new ArrayList<>();
    for (ContainerView container : pod.initContainers()) {
      addTo(needs, container, isDevice, !container.alwaysRestarts());
    }
    for (ContainerView container : pod.containers()) {
      addTo(needs, container, isDevice, false);
    }
    return List.copyOf(needs);
  }

  private static void addTo(
      List<DeviceNeed> needs,
      ContainerView container,
      Predicate<String> isDevice,
      boolean isPassedOn) {
    ResourceList.read(container.limits())
        .amounts()
        .forEach((resource, amount) -> {
          if (isDevice.test(resource)) {
            needs.add(new DeviceNeed(container.name(), resource, amount.value(), isPassedOn));
          }
        });
  }

  /**
   * The devices of a resource that the containers before some need of a pod pass on.
   *
   * @param before the needs that were met already, in their order
   */
  public static SortedSet<String> reusable(
      String podUid, List<DeviceNeed> before, String resource, DeviceAssignments assignments) {
    Map<String, SortedSet<String>> reusable = new HashMap<>();
    for (DeviceNeed need : before) {
      Set<String> given =
          assignments
              .find(podUid, need.container, need.resource)
              .map(DeviceAssignments.Assignment::ids)
              .orElse(Set.of());
      SortedSet<String> left = reusable.computeIfAbsent(need.resource, _ -> new TreeSet<>());
      if (need.isPassedOn) {
        left.addAll(given);
      } else {
        left.removeAll(given);
      }
    }
    return reusable.getOrDefault(resource, new TreeSet<>());
  }
}
