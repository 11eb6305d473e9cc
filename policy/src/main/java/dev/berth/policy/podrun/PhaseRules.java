package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodRules;
import java.util.List;
import java.util.Set;

/**
 * The phase of a pod, from what is said of its containers.
 *
 * <ol>
 *   <li>Failed, if an init container failed and is not started again.
 *   <li>Pending, while an init container has work to do, a sidecar has not started (unless
 *       containers have run), or a container was never started.
 *   <li>Running, while a container or a sidecar runs, or a container will be started again.
 *   <li>Otherwise Succeeded if all containers succeeded, and Failed if one did not. What sidecars
 *       did does not matter.
 * </ol>
 */
final class PhaseRules {
  private PhaseRules() {}

  /**
   * The phase of a pod.
   *
   * @param replaced ids of containers that are started again, whatever they ended with
   * @param isEnding whether nothing is started again; static pods never end
   */
  static PodPhase of(
      PodRules pod,
      List<ContainerReport> inits,
      List<ContainerReport> containers,
      Set<String> replaced,
      boolean isEnding) {
    boolean hasRun = containers.stream().anyMatch(ContainerReport::isRunning);
    boolean pending = false;
    boolean sidecarRuns = false;
    for (int i = 0; i < inits.size(); i++) {
      ContainerRules rules = pod.inits().get(i);
      ContainerReport init = inits.get(i);
      ContainerState.Ended end = init.end();
      if (rules.isSidecar()) {
        sidecarRuns |= init.isRunning();
        pending |= !hasRun && (init.isRunning() ? !init.isStarted() : end == null);
      } else if (end == null) {
        pending = true;
      } else if (end.exitCode() != 0) {
        if (!RestartRules.restarts(pod, rules, end)) {
          return PodPhase.FAILED;
        }
        // It failed and is started again: those after it have not begun, so the pod is pending.
      }
    }
    boolean neverStarted = containers.stream().anyMatch(c -> !c.isRunning() && c.end() == null);
    if (pending || neverStarted) {
      return PodPhase.PENDING;
    }
    if (hasRun || sidecarRuns) {
      return PodPhase.RUNNING;
    }
    boolean startsAgain = false;
    boolean succeeded = true;
    for (int i = 0; i < containers.size(); i++) {
      ContainerReport container = containers.get(i);
      ContainerState.Ended end = container.end();
      startsAgain |=
          end != null
              && (replaced.contains(container.containerId())
                  || RestartRules.restarts(pod, pod.containers().get(i), end));
      succeeded &=
          end != null && end.exitCode() == 0 && container.state() instanceof ContainerState.Ended;
    }
    if (startsAgain && (!isEnding || pod.isStatic())) {
      return PodPhase.RUNNING;
    }
    return succeeded ? PodPhase.SUCCEEDED : PodPhase.FAILED;
  }
}
