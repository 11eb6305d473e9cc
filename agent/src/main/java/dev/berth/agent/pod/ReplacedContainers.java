package dev.berth.agent.pod;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.ReportedContainer;
import dev.berth.model.core.ReportedStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The containers of a pod that its node ended, or is ending, to start them again: because they are
 * defined in another way by now, or a probe failed. How such a container ends says nothing, so this
 * has to be known until another one of its name runs. An agent that begins anew takes it from the
 * pod's status, which shows such a container as waiting. Lives on the loop of the pods.
 */
final class ReplacedContainers {
  /** With the runtime's name, as a status has them. */
  private final Set<String> ids = new HashSet<>();

  ReplacedContainers(ReportedStatus status) {
    for (List<ReportedContainer> containers : List.of(status.inits(), status.containers())) {
      containers.stream()
          .filter(container -> container.state() instanceof ContainerState.Waiting)
          .map(ReportedContainer::containerId)
          .filter(id -> !id.isEmpty())
          .forEach(ids::add);
    }
  }

  /**
   * A container is ended to be started again.
   *
   * @param id with the runtime's name
   */
  void add(String id) {
    ids.add(id);
  }

  Set<String> ids() {
    return Set.copyOf(ids);
  }

  /** Forgets those that are gone. */
  void observed(List<ContainerStatus> containers, String idPrefix) {
    ids.retainAll(containers.stream().map(c -> idPrefix + c.id()).collect(Collectors.toSet()));
  }
}
