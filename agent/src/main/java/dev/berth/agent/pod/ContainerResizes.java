package dev.berth.agent.pod;

import dev.berth.agent.podspec.ResourceLimits;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/**
 * Has a pod that runs, and its containers, get what it was given. Lives on the loop of the pods.
 */
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
   * Changes the next container that does not have what it was given, then the pod as a whole.
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
      String id = running.map(ContainerStatus::id).orElse("");
      if (resize.isRestarting(name, id)) {
        continue; // Until then the resize is in progress.
      }
      if (running.isEmpty() || resize.hasRestarted(name, id)) {
        // It gets it when it is started.
        resize.done(name);
      } else if (resize.restarts(spec)) {
        resize.restarting(name, id);
        worker.replace(running.get(), "Container %s resize requires restart".formatted(name));
      } else if (!worker.waits(retry)) {
        change(running.get(), spec);
        return true;
      }
    }
    if (resize.isWholeOutdated() && !worker.waits(retry)) {
      changeWhole();
      return true;
    }
    if (resize.completes()) {
      context
          .events()
          .normal(worker.pod(), "ResizeCompleted", resize.completedMessage(worker.pod()));
    }
    return false;
  }

  private void change(ContainerStatus container, JsonObject spec) {
    ResourceLimits limits = limits();
    call(
        () -> {
          context.runtime().resizePod(worker.id().uid(), limits.ofPod());
          context.runtime().resize(container.id(), limits.of(spec));
        },
        () -> resize.done(container.name()));
  }

  private void changeWhole() {
    ResourceLimits limits = limits();
    call(() -> context.runtime().resizePod(worker.id().uid(), limits.ofPod()), resize::wholeDone);
  }

  private ResourceLimits limits() {
    return new ResourceLimits(
        worker.allocatedPod(),
        context.nodeTree(),
        context.settings().specs(),
        context.devices().placement(worker.id().uid()));
  }

  /** Something to ask of the runtime. */
  @FunctionalInterface
  private interface Request {
    void run() throws RuntimeFailure;
  }

  private void call(Request request, Runnable then) {
    worker.busy(
        () -> {
          try {
            request.run();
            return "";
          } catch (RuntimeFailure e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          if (failure.isEmpty()) {
            then.run();
          } else {
            context.events().warning(worker.pod(), "ResizeError", "Pod resize error: " + failure);
            retry.failed(context.time().monotonicNow());
          }
        });
  }
}
