package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a node does next for a pod that is to run.
 *
 * @param isOver whether nothing is left to run: what still does is stopped, and nothing is started
 * @param createsSandbox whether to make what its containers share, before anything is started
 * @param starts names of containers to start, in this order
 * @param restartsAll whether all containers are stopped and removed, to be started afresh
 */
public record PodPlan(
    boolean isOver,
    boolean createsSandbox,
    List<String> starts,
    List<Kill> kills,
    boolean restartsAll) {

  /** Why a container that runs is killed although its pod goes on. */
  public enum KillReason {
    STARTUP_PROBE,
    LIVENESS_PROBE,
    /** Its pod's specification says something else of it than when it was started. */
    DEFINITION
  }

  /**
   * A container to be killed.
   *
   * @param id with the runtime's name
   * @param message for the event
   * @param isReplaced whether it is started again, whatever it ends with
   */
  public record Kill(
      ContainerRules container, String id, String message, KillReason reason, boolean isReplaced) {

    /** How long it gets to end; empty if its pod's grace period counts. */
    public OptionalLong graceSeconds() {
      return switch (reason) {
        case STARTUP_PROBE -> container.startupGraceSeconds();
        case LIVENESS_PROBE -> container.livenessGraceSeconds();
        case DEFINITION -> OptionalLong.empty();
      };
    }
  }

  static PodPlan over() {
    return new PodPlan(true, false, List.of(), List.of(), false);
  }

  static PodPlan createSandbox(List<String> starts) {
    return new PodPlan(false, true, starts, List.of(), false);
  }

  static PodPlan restartAll() {
    return new PodPlan(false, false, List.of(), List.of(), true);
  }
}
