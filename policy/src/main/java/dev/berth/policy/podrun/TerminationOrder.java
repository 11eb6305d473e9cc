package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.PodRules;
import java.util.Collection;
import java.util.List;

/**
 * Who of a pod's containers may be told to end: containers at once, a sidecar once all containers
 * and all sidecars after it have ended. So sidecars end in the reverse of the order in which they
 * were started.
 */
public final class TerminationOrder {
  private TerminationOrder() {}

  /**
   * Whether a container may be told to end.
   *
   * @param running the names of all that run
   */
  public static boolean isItsTurn(PodRules pod, String name, Collection<String> running) {
    List<ContainerRules> inits = pod.inits();
    int place = -1;
    for (int i = 0; i < inits.size(); i++) {
      if (inits.get(i).name().equals(name) && inits.get(i).isSidecar()) {
        place = i;
      }
    }
    if (place < 0) {
      return true;
    }
    return pod.containers().stream().noneMatch(c -> running.contains(c.name()))
        && inits.subList(place + 1, inits.size()).stream()
            .noneMatch(c -> c.isSidecar() && running.contains(c.name()));
  }
}
