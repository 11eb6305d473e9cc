package dev.berth.agent.pod;

import dev.berth.agent.podspec.ResourceLimits;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.GracePeriod;
import java.util.Optional;

/** Has containers that run get what their pod was given. Lives on the loop of the pods. */
final class ContainerResizes {
  private final PodWorker worker;
  private final PodContext context;
  private final PodResize resize;
  private final Retry retry = Retry.ending();

  ContainerResizes(PodWorker worker, PodContext context, PodResize resize) {
    this.worker = worker;
    this.context = context;
    this.resize = resize;
  }

  /**
   * Changes the next container that does not have what it was given.
   *
   * @return whether that is under way
   */
  boolean next() {
    for (String name : resize.outdated()) {
      Optional<ContainerStatus> running =
          worker.observation().running().stream()
              .filter(container -> container.name().equals(name))
              .findFirst();
      JsonObject spec = PodContainers.spec(worker.allocatedPod(), name);
      if (running.isEmpty()) {
        // It gets it when it is started.
        resize.done(name);
      } else if (resize.restarts(spec)) {
        resize.done(name);
        worker
            .stops()
            .stop(
                running.get(),
                GracePeriod.of(worker.rules()),
                "Container %s resize requires restart".formatted(name));
      } else if (!worker.waits(retry)) {
        change(running.get(), spec);
        return true;
      }
    }
    if (resize.completes()) {
      context
          .events()
          .normal(worker.pod(), "ResizeCompleted", resize.completedMessage(worker.pod()));
    }
    return false;
  }

  private void change(ContainerStatus container, JsonObject spec) {
    ResourceLimits limits =
        new ResourceLimits(
            worker.allocatedPod(),
            context.nodeTree(),
            context.settings().specs(),
            context.devices().placement(worker.id().uid()));
    worker.busy(
        () -> {
          try {
            context.runtime().resizePod(worker.id().uid(), limits.ofPod());
            context.runtime().resize(container.id(), limits.of(spec));
            return "";
          } catch (RuntimeFailure e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          if (failure.isEmpty()) {
            resize.done(container.name());
          } else {
            context.events().warning(worker.pod(), "ResizeError", "Pod resize error: " + failure);
            retry.failed(context.time().monotonicNow());
          }
        });
  }
}
