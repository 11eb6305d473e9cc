package dev.berth.agent.pod;

import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.podspec.SandboxSpecs;
import dev.berth.agent.podspec.SpecFailure;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.volume.VolumeFailure;
import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Makes what the containers of a pod need before they start: its volumes, and what they share.
 * Lives on the loop of the pods.
 */
final class PodSetup {
  private final PodWorker worker;
  private final PodContext context;
  private final Retry volumes = Retry.volumes();
  private final Retry sandboxes;
  private boolean hasVolumes;

  PodSetup(PodWorker worker, PodContext context) {
    this.worker = worker;
    this.context = context;
    this.sandboxes = Retry.sandboxes(context.time().random("sandbox " + worker.id().uid()));
  }

  boolean hasVolumes() {
    return hasVolumes;
  }

  void prepareVolumes() {
    if (worker.waits(volumes)) {
      return;
    }
    JsonObject pod = worker.pod();
    worker.busy(
        () -> {
          try {
            context.volumes().prepare(pod);
            return "";
          } catch (VolumeFailure e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          hasVolumes = failure.isEmpty();
          if (!hasVolumes) {
            volumes.failed(context.time().monotonicNow());
            context.events().warning(pod, "FailedMount", failure);
          }
        });
  }

  /** Brings volumes up to date that change by themselves. */
  void refreshVolumes() {
    JsonObject pod = worker.pod();
    worker.busy(
        () -> {
          try {
            context.volumes().refresh(pod);
            return "";
          } catch (VolumeFailure e) {
            return String.valueOf(e.getMessage());
          }
        },
        failure -> {
          if (!failure.isEmpty()) {
            context.events().warning(pod, "FailedMount", failure);
          }
        });
  }

  /** The volumes are no longer there. */
  void released() {
    hasVolumes = false;
  }

  /** What came of an attempt to make what the containers share. */
  private record SandboxResult(@Nullable PodSandbox sandbox, String failure) {}

  void createSandbox() {
    if (worker.waits(sandboxes)) {
      return;
    }
    JsonObject pod = worker.allocatedPod();
    if (!worker.observation().containers().isEmpty()) {
      context
          .events()
          .normal(pod, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.");
    }
    JsonObject node = context.nodeTree();
    Placement.OfPod placement = context.devices().placement(worker.id().uid());
    worker.busyBeginning(
        () -> {
          try {
            return new SandboxResult(
                context
                    .runtime()
                    .startSandbox(
                        SandboxSpecs.of(
                                worker.id(), pod, node, context.settings().specs(), placement)
                            .withHandler(context.runtimeClasses().handler(pod))),
                "");
          } catch (RuntimeFailure | SpecFailure | ObjectsUnavailable e) {
            return new SandboxResult(null, String.valueOf(e.getMessage()));
          }
        },
        result -> {
          if (result.sandbox != null) {
            sandboxes.succeeded();
            worker.see(new PodObservation(result.sandbox, worker.observation().messages()));
          } else {
            sandboxes.failed(context.time().monotonicNow());
            context
                .events()
                .warning(
                    pod,
                    "FailedCreatePodSandBox",
                    "Failed to create pod sandbox: " + result.failure);
          }
        });
  }
}
