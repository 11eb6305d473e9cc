package dev.berth.agent.pod;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes containers that ended long ago: of each name the newest stays, and the one before it, for
 * {@code kubectl logs --previous}. Blocks.
 */
record DeadContainers(ContainerRuntime runtime) {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);
  private static final int KEPT = 2;

  static DeadContainers in(ContainerRuntime runtime) {
    return new DeadContainers(runtime);
  }

  /** The pod with what is left. */
  PodSandbox prune(PodSandbox sandbox) {
    Map<String, Integer> later = new HashMap<>();
    List<ContainerStatus> kept = new ArrayList<>();
    for (ContainerStatus container : sandbox.containers().reversed()) {
      int count = later.merge(container.name(), 1, Integer::sum);
      if (count <= KEPT || container.isRunning() || !isRemoved(container)) {
        kept.addFirst(container);
      }
    }
    return kept.size() == sandbox.containers().size()
        ? sandbox
        : new PodSandbox(
            sandbox.pod(), sandbox.created(), sandbox.isReady(), sandbox.addresses(), kept);
  }

  private boolean isRemoved(ContainerStatus container) {
    try {
      runtime.removeContainer(container.id());
      return true;
    } catch (RuntimeFailure e) {
      LOG.warn("cannot remove container {}: {}", container.id(), e.getMessage());
      return false;
    }
  }
}
