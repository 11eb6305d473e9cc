package dev.berth.agent.pod;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.volume.VolumeFailure;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes away what a pod has whose containers have ended. What cannot be done is tried again every 2
 * s. Lives on the loop of the pods.
 */
final class PodEnd {
  private final PodWorker worker;
  private final PodContext context;
  private final Retry retry = Retry.ending();

  PodEnd(PodWorker worker, PodContext context) {
    this.worker = worker;
    this.context = context;
  }

  /** Gives back what its containers shared, and its volumes. */
  void stop(Runnable then, Consumer<String> onFailure) {
    String uid = worker.id().uid();
    boolean hasSandbox = worker.observation().hasSandbox();
    attempt(
        () -> {
          try {
            if (hasSandbox) {
              context.runtime().stopSandbox(uid);
            }
            context.volumes().release(uid);
            return "";
          } catch (RuntimeFailure e) {
            return "error killing pod: " + e.getMessage();
          } catch (VolumeFailure e) {
            return "cannot release volume \"%s\": %s".formatted(e.volume(), e.getMessage());
          }
        },
        then,
        onFailure);
  }

  /** Removes all that is left of it. */
  void remove(Runnable then, Consumer<String> onFailure) {
    String uid = worker.id().uid();
    attempt(
        () -> {
          try {
            // The sandbox last: as long as there is one, the next agent knows of the rest.
            context.startCall().forget(uid);
            context.runtime().removeSandbox(uid);
            LogLinks.ofMachine().removeDead();
            return "";
          } catch (RuntimeFailure | IOException e) {
            return "cannot remove what is left of it: " + e.getMessage();
          }
        },
        then,
        onFailure);
  }

  /** Removes its containers, so that it begins afresh. */
  void removeContainers(Runnable then, Consumer<String> onFailure) {
    List<ContainerStatus> containers = worker.observation().containers();
    attempt(
        () -> {
          try {
            for (ContainerStatus container : containers) {
              context.runtime().removeContainer(container.id());
            }
            return "";
          } catch (RuntimeFailure e) {
            return "cannot remove its containers: " + e.getMessage();
          }
        },
        then,
        onFailure);
  }

  private void attempt(Supplier<String> work, Runnable then, Consumer<String> onFailure) {
    if (worker.waits(retry)) {
      return;
    }
    worker.busy(
        work,
        failure -> {
          if (failure.isEmpty()) {
            retry.succeeded();
            then.run();
          } else {
            retry.failed(context.time().monotonicNow());
            onFailure.accept(failure);
          }
        });
  }
}
