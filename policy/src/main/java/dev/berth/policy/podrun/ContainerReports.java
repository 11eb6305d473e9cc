package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.ReportedContainer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of the containers of a pod: what its runtime shows, and where that is forgotten,
 * what it said before.
 *
 * <ol>
 *   <li>A container that was not started yet waits: {@code PodInitializing} if there are init
 *       containers, else {@code ContainerCreating}.
 *   <li>One that is gone from the runtime stays as it ended; if it was last seen running, its end
 *       is not known.
 *   <li>One that ended, or could not be started, and is to be started again waits for the reason
 *       that keeps it from being started, if there is one.
 *   <li>One that its node ended to start it again waits, too: it is not said to have ended, because
 *       a server lets none run again that its policy would not start again.
 *   <li>An init container is ready once it has succeeded.
 * </ol>
 */
final class ContainerReports {
  private static final String CREATING = "ContainerCreating";

  private final PodSnapshot pod;
  private final Map<String, ContainerState.Waiting> failures;
  private final boolean isEnding;

  /**
   * @param failures what keeps containers from being started, by name
   * @param isEnding whether nothing is started any more
   */
  ContainerReports(
      PodSnapshot pod, Map<String, ContainerState.Waiting> failures, boolean isEnding) {
    this.pod = pod;
    this.failures = failures;
    this.isEnding = isEnding;
  }

  List<ContainerReport> inits(List<ReportedContainer> before) {
    return pod.rules().inits().stream().map(init -> init(init, report(init, before))).toList();
  }

  List<ContainerReport> containers(List<ReportedContainer> before) {
    return pod.rules().containers().stream()
        .map(container -> ready(container, report(container, before)))
        .toList();
  }

  List<ContainerReport> ephemerals(List<ReportedContainer> before) {
    return pod.rules().ephemerals().stream().map(c -> report(c, before)).toList();
  }

  private ContainerReport init(ContainerRules init, ContainerReport report) {
    if (init.isSidecar()) {
      return ready(init, report);
    }
    ContainerReport known = report;
    if (report.state() instanceof ContainerState.Waiting
        && pod.newest(init).isEmpty()
        && pod.hasStartedContainers()) {
      String message =
          "Unable to get init container status from container runtime and pod has been"
              + " initialized, treat it as exited normally";
      known = report.with(new ContainerState.Ended(0, "Completed", message, null, null, ""));
    }
    boolean succeeded =
        known.state() instanceof ContainerState.Ended ended && ended.exitCode() == 0;
    return judged(known, succeeded, known.isRunning());
  }

  /** A container that runs, with what its probes say. */
  private ContainerReport ready(ContainerRules container, ContainerReport report) {
    Optional<ObservedContainer> running =
        pod.newest(container).filter(ObservedContainer::isRunning);
    if (running.isEmpty() || !report.isRunning()) {
      return judged(report, false, false);
    }
    Probed probed = pod.probed(running.get());
    return judged(report, probed.isReady(container), probed.hasStarted(container));
  }

  private static ContainerReport judged(ContainerReport report, boolean ready, boolean started) {
    return new ContainerReport(
        report.name(),
        report.state(),
        report.last(),
        report.restarts(),
        ready,
        started,
        report.image(),
        report.imageId(),
        report.containerId());
  }

  private ContainerReport report(ContainerRules container, List<ReportedContainer> before) {
    Optional<ReportedContainer> old =
        before.stream().filter(c -> c.name().equals(container.name())).findFirst();
    Optional<ObservedContainer> newest = pod.newest(container);
    ContainerReport report = newest.isPresent() ? seen(newest.get(), old) : unseen(container, old);
    boolean isReplaced =
        newest.filter(c -> !c.isRunning() && pod.isReplaced(c)).isPresent() && !isEnding;
    ContainerState.Waiting waiting = failures.get(container.name());
    if (waiting == null && isReplaced) {
      waiting = new ContainerState.Waiting(CREATING, "");
    }
    if (waiting == null || isEnding || !(isReplaced || isToStart(container, report))) {
      return report;
    }
    return new ContainerReport(
        report.name(),
        waiting,
        report.state() instanceof ContainerState.Ended ended ? ended : report.last(),
        report.restarts(),
        false,
        false,
        report.image(),
        report.imageId(),
        report.containerId());
  }

  private boolean isToStart(ContainerRules container, ContainerReport report) {
    return switch (report.state()) {
      case ContainerState.Waiting _ -> true;
      case ContainerState.Running _ -> false;
      case ContainerState.Ended ended ->
          container.isSidecar() || RestartRules.restarts(pod.rules(), container, ended.exitCode());
    };
  }

  private ContainerReport seen(ObservedContainer newest, Optional<ReportedContainer> old) {
    ContainerState.Ended exit = newest.exit();
    ContainerState.Ended last =
        ObservedContainer.previous(pod.observed(), newest.name())
            .map(ObservedContainer::exit)
            .orElseGet(() -> remembered(newest, old));
    return new ContainerReport(
        newest.name(),
        exit == null ? new ContainerState.Running(newest.started()) : exit,
        last,
        newest.attempt(),
        false,
        false,
        newest.image(),
        newest.imageId(),
        newest.id());
  }

  /** How the container before the newest ended, by what was said of it. */
  private ContainerState.@Nullable Ended remembered(
      ObservedContainer newest, Optional<ReportedContainer> old) {
    if (old.isEmpty()) {
      return null;
    }
    boolean isSame = old.get().containerId().equals(newest.id());
    return !isSame && old.get().state() instanceof ContainerState.Ended ended
        ? ended
        : old.get().last();
  }

  private ContainerReport unseen(ContainerRules container, Optional<ReportedContainer> old) {
    String image =
        old.map(ReportedContainer::image).filter(i -> !i.isEmpty()).orElse(container.image());
    String imageId = old.map(ReportedContainer::imageId).orElse("");
    String id = old.map(ReportedContainer::containerId).orElse("");
    int restarts = old.map(ReportedContainer::restarts).orElse(0);
    ContainerState state = old.map(ReportedContainer::state).orElse(null);
    ContainerState.Ended last = old.map(ReportedContainer::last).orElse(null);
    if (state instanceof ContainerState.Ended) {
      return new ContainerReport(
          container.name(), state, last, restarts, false, false, image, imageId, id);
    }
    if (state instanceof ContainerState.Running && last == null) {
      last =
          ContainerState.Ended.lost(
              "The container could not be located when the pod was deleted.  The container used"
                  + " to be Running");
      restarts += pod.rules().isBeingDeleted() ? 0 : 1;
    }
    String reason = pod.rules().inits().isEmpty() ? CREATING : "PodInitializing";
    return new ContainerReport(
        container.name(),
        new ContainerState.Waiting(reason, ""),
        last,
        restarts,
        false,
        false,
        image,
        "",
        "");
  }
}
