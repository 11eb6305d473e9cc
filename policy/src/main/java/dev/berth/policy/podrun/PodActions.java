package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import dev.berth.policy.podrun.PodPlan.Kill;
import dev.berth.policy.podrun.PodPlan.KillReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which containers of a pod to start and to stop now.
 *
 * <ol>
 *   <li>If what the containers share is gone, it is made anew and the pod begins from its first
 *       init container; unless it ran and is not to run again, or has nothing left to start.
 *   <li>Ephemeral containers are started once, whatever else goes on.
 *   <li>Init containers run one after the other. A sidecar is waited for until it has started; then
 *       it goes on, and is started again whenever it ends. An init container that fails and is not
 *       restarted ends the pod.
 *   <li>Then containers run side by side. One that ended is started again if its rules, its own
 *       restart policy or else its pod's say so. One whose liveness or startup probe failed is
 *       killed, and started again unless its policy is never.
 *   <li>One whose image is another in the specification by now is killed and started again,
 *       whatever its policy.
 *   <li>Once none runs or will be started, the pod is over, whatever its sidecars do.
 * </ol>
 *
 * <p>Whether a container that is to be started again has to wait for it is for {@link
 * RestartDelay}.
 */
public final class PodActions {
  private final PodSnapshot pod;
  private final List<String> ephemerals = new ArrayList<>();
  private final List<String> inits = new ArrayList<>();
  private final List<String> containers = new ArrayList<>();
  private final List<Kill> kills = new ArrayList<>();

  private PodActions(PodSnapshot pod) {
    this.pod = pod;
  }

  public static PodPlan decide(PodSnapshot pod) {
    return pod.restartsAll() ? PodPlan.restartAll() : new PodActions(pod).plan();
  }

  private PodPlan plan() {
    if (!pod.hasSandbox()) {
      return withoutSandbox();
    }
    for (ContainerRules ephemeral : pod.rules().ephemerals()) {
      if (pod.newest(ephemeral).isEmpty()) {
        ephemerals.add(ephemeral.name());
      }
    }
    return switch (initialize()) {
      case FAILED -> PodPlan.over();
      case UNDER_WAY -> result();
      case DONE -> runContainers() ? result() : PodPlan.over();
    };
  }

  private PodPlan result() {
    List<String> starts = new ArrayList<>(ephemerals);
    starts.addAll(inits);
    starts.addAll(containers);
    return new PodPlan(false, false, List.copyOf(starts), List.copyOf(kills), false);
  }

  private PodPlan withoutSandbox() {
    boolean never = pod.rules().restartPolicy().equals("Never");
    if (never && !pod.observed().isEmpty()) {
      return PodPlan.over();
    }
    List<String> starts =
        pod.rules().containers().stream()
            .filter(container -> !isDone(container))
            .map(ContainerRules::name)
            .toList();
    if (starts.isEmpty() && pod.hasStartedContainers()) {
      return PodPlan.over();
    }
    return PodPlan.createSandbox(
        pod.rules().inits().isEmpty() ? starts : List.of(pod.rules().inits().getFirst().name()));
  }

  /** Whether a container has ended, and is not to run again. */
  private boolean isDone(ContainerRules container) {
    return pod.newest(container)
        .filter(newest -> newest.exit() != null && !restarts(container, newest))
        .isPresent();
  }

  /** Whether a container has ended, and is to run again. */
  private boolean restarts(ContainerRules container, ObservedContainer newest) {
    ContainerState.Ended exit = newest.exit();
    return exit != null && pod.restarts(container, newest, exit);
  }

  private enum Progress {
    FAILED,
    UNDER_WAY,
    DONE
  }

  /**
   * Looks at the init containers from the last one on, because those that were done long ago may
   * have been removed: one that was started means that all before it are done. Nor does anything
   * begin again when all containers are done: an agent that was killed while it ended the sidecars
   * finds them ended, too.
   */
  private Progress initialize() {
    List<ContainerRules> all = pod.rules().inits();
    boolean initialized =
        all.isEmpty()
            || pod.rules().containers().stream()
                .anyMatch(c -> pod.newest(c).filter(this::isInUse).isPresent())
            || pod.rules().containers().stream()
                .allMatch(c -> pod.newestOfSandbox(c).isPresent() && isDone(c));
    boolean laterBegan = initialized;
    List<String> starts = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0; i--) {
      ContainerRules init = all.get(i);
      Optional<ObservedContainer> newest = pod.newestOfSandbox(init);
      if (newest.isEmpty()) {
        if (laterBegan && init.isSidecar()) {
          starts.add(init.name());
        }
        continue;
      }
      if (laterBegan && !init.isSidecar()) {
        continue;
      }
      switch (look(init, newest.get())) {
        case GO_ON -> {
          if (i == all.size() - 1) {
            initialized = true;
          } else if (!laterBegan) {
            starts.add(all.get(i + 1).name());
          }
        }
        case START -> starts.add(init.name());
        case GIVE_UP -> {
          return Progress.FAILED;
        }
        case WAIT -> {}
      }
      laterBegan = true;
    }
    if (!laterBegan) {
      starts.add(all.getFirst().name());
    }
    inits.addAll(starts.reversed());
    return initialized ? Progress.DONE : Progress.UNDER_WAY;
  }

  /** Whether a container runs, or will again as soon as it may. */
  private boolean isInUse(ObservedContainer container) {
    return container.isRunning() || (container.isOfSandbox() && pod.isReplaced(container));
  }

  /** What the state of an init container means for the pod. */
  private enum InitStep {
    /** It is done, or has started and goes on. */
    GO_ON,
    /** It is to be started again. */
    START,
    WAIT,
    GIVE_UP
  }

  private InitStep look(ContainerRules init, ObservedContainer newest) {
    ContainerState.Ended exit = newest.exit();
    if (exit != null) {
      if (init.isSidecar()) {
        return InitStep.START;
      }
      if (exit.exitCode() == 0) {
        return InitStep.GO_ON;
      }
      return RestartRules.restarts(pod.rules(), init, exit.exitCode())
          ? InitStep.START
          : InitStep.GIVE_UP;
    }
    if (!init.isSidecar()) {
      return InitStep.WAIT;
    }
    Probed probed = pod.probed(newest);
    if (init.hasStartupProbe() && probed.startup() == ProbeResult.FAILURE) {
      kill(init, newest, "failed startup probe", KillReason.STARTUP_PROBE);
      return InitStep.WAIT;
    }
    if (!probed.hasStarted(init)) {
      return InitStep.WAIT;
    }
    if (newest.isOutdated(init)) {
      kill(init, newest, "definition changed", KillReason.DEFINITION);
    } else if (probed.liveness() == ProbeResult.FAILURE) {
      kill(init, newest, "failed liveness probe", KillReason.LIVENESS_PROBE);
    }
    return InitStep.GO_ON;
  }

  /** Returns whether one runs or will be started. */
  private boolean runContainers() {
    int kept = 0;
    for (ContainerRules container : pod.rules().containers()) {
      Optional<ObservedContainer> newest = pod.newest(container);
      if (newest.isEmpty() || restarts(container, newest.get())) {
        containers.add(container.name());
      } else if (newest.get().isRunning()) {
        kept++;
        killIfUnfit(container, newest.get());
      }
    }
    return kept > 0 || !containers.isEmpty();
  }

  private void killIfUnfit(ContainerRules container, ObservedContainer running) {
    Probed probed = pod.probed(running);
    if (running.isOutdated(container)) {
      kill(container, running, "definition changed", KillReason.DEFINITION);
    } else if (probed.liveness() == ProbeResult.FAILURE) {
      kill(container, running, "failed liveness probe", KillReason.LIVENESS_PROBE);
    } else if (probed.startup() == ProbeResult.FAILURE) {
      kill(container, running, "failed startup probe", KillReason.STARTUP_PROBE);
    }
  }

  private void kill(
      ContainerRules container, ObservedContainer running, String why, KillReason reason) {
    boolean isReplaced =
        reason == KillReason.DEFINITION
            || container.isSidecar()
            || RestartRules.restartsAfterKill(pod.rules(), container);
    // Upstream says that it restarts of those alone that may as well not.
    String message =
        container.isSidecar()
            ? "Init container %s %s".formatted(container.name(), why)
            : "Container %s %s%s"
                .formatted(container.name(), why, isReplaced ? ", will be restarted" : "");
    kills.add(new Kill(container, running.id(), message, reason, isReplaced));
  }
}
