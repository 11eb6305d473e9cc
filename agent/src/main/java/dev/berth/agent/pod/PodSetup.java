package dev.berth.agent.pod;

import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.podspec.SandboxSpecs;
import dev.berth.agent.podspec.SpecFailure;
import dev.berth.agent.podspec.SpecWarning;
import dev.berth.agent.podspec.UserNamespaces;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.volume.VolumeFailure;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  /** Whether a sandbox with users of its own was begun, and nothing of it has failed yet. */
  private boolean hasNewUsers;

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
  private record SandboxResult(
      @Nullable PodSandbox sandbox, String failure, String handler, List<SpecWarning> warnings) {}

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
    hasNewUsers = !pod.object("spec").flag("hostUsers", true);
    if (hasNewUsers) {
      context.metrics().startedWithUsers();
    }
    Instant begun = context.time().monotonicNow();
    worker.busyBeginning(
        () -> {
          List<SpecWarning> warnings = new ArrayList<>();
          String handler = "";
          try {
            SandboxSpecs.Made made =
                SandboxSpecs.of(worker.id(), pod, node, context.settings().specs(), placement);
            warnings.addAll(made.warnings());
            handler = context.runtimeClasses().handler(pod);
            SandboxSpec spec = made.spec().withHandler(handler);
            UserNamespaces.check(spec, context.runtime().handlers());
            return new SandboxResult(context.runtime().startSandbox(spec), "", handler, warnings);
          } catch (RuntimeFailure | SpecFailure | ObjectsUnavailable e) {
            return new SandboxResult(null, String.valueOf(e.getMessage()), handler, warnings);
          }
        },
        result -> {
          result.warnings.forEach(
              each -> context.events().warning(pod, each.reason(), each.message()));
          if (result.sandbox != null) {
            sandboxes.succeeded();
            context
                .metrics()
                .madeSandbox(
                    result.handler, Duration.between(begun, context.time().monotonicNow()));
            worker.see(new PodObservation(result.sandbox, worker.observation().messages()));
          } else {
            sandboxes.failed(context.time().monotonicNow());
            context.metrics().sandboxFailed(result.handler);
            startFailed();
            context
                .events()
                .warning(
                    pod,
                    "FailedCreatePodSandBox",
                    "Failed to create pod sandbox: " + result.failure);
          }
        });
  }

  /**
   * The sandbox, or a container in it, could not be started: a sandbox counts once, as upstream.
   */
  void startFailed() {
    if (hasNewUsers) {
      hasNewUsers = false;
      context.metrics().failedWithUsers();
    }
  }
}
