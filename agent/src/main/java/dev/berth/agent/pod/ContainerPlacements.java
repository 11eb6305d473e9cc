package dev.berth.agent.pod;

import dev.berth.agent.podspec.ResourceLimits;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.RuntimeFailure;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has containers that run use the processors that they may use now: what nobody has for itself
 * changes when others come and go. What a container got that an earlier agent started is not known,
 * so it is set once more. Lives on the loop of the pods.
 */
final class ContainerPlacements {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);

  private final PodWorker worker;
  private final PodContext context;
  private final Map<String, Placement> applied = new HashMap<>();
  private final Retry retry = Retry.ending();

  ContainerPlacements(PodWorker worker, PodContext context) {
    this.worker = worker;
    this.context = context;
  }

  /** A container was started there. */
  void started(String containerId, Placement placement) {
    applied.put(containerId, placement);
  }

  /**
   * Moves the next container that is not where it should be.
   *
   * @return whether that is under way
   */
  boolean next() {
    Placement.OfPod wanted = context.devices().placement(worker.id().uid());
    applied.keySet().removeIf(id -> worker.observation().find(id).isEmpty());
    for (ContainerStatus container : worker.observation().running()) {
      Placement place = wanted.of(container.name());
      Placement before = applied.getOrDefault(container.id(), Placement.ANYWHERE);
      if (!place.equals(before) && !worker.waits(retry)) {
        move(container, wanted, place);
        return true;
      }
    }
    return false;
  }

  private void move(ContainerStatus container, Placement.OfPod wanted, Placement place) {
    ResourceLimits limits =
        new ResourceLimits(
            worker.allocatedPod(), context.nodeTree(), context.settings().specs(), wanted);
    worker.busy(
        () -> {
          try {
            context
                .runtime()
                .resize(
                    container.id(),
                    limits.of(PodContainers.spec(worker.allocatedPod(), container.name())));
            return "";
          } catch (RuntimeFailure e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          if (failure.isEmpty()) {
            applied.put(container.id(), place);
          } else {
            LOG.warn(
                "{}: {} cannot be moved to processors {}: {}",
                worker.id(),
                container.name(),
                place.cpus(),
                failure);
            retry.failed(context.time().monotonicNow());
          }
        });
  }
}
