package dev.berth.agent.pod;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.policy.podrun.PodReport.Stage;
import dev.berth.policy.podrun.TerminationOrder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The containers of a pod that are being ended. Lives on the loop of the pods. */
final class ContainerStops {
  private final PodWorker worker;
  private final PodContext context;
  private final Map<String, ContainerStop> byId = new LinkedHashMap<>();

  ContainerStops(PodWorker worker, PodContext context) {
    this.worker = worker;
    this.context = context;
  }

  /** Ends a container, or gives one that is being ended less time. */
  void stop(ContainerStatus container, Duration grace, String message) {
    ContainerStop underWay = byId.get(container.id());
    if (underWay != null) {
      underWay.shorten(grace);
      return;
    }
    ContainerStop stop =
        new ContainerStop(
            context, worker.target(container), grace, () -> isItsTurn(container.name()));
    byId.put(container.id(), stop);
    stop.begin(message);
  }

  /** Ends all that run. */
  void stopAll(Duration grace) {
    for (ContainerStatus container : worker.observation().running()) {
      stop(container, grace, "Stopping container " + container.name());
    }
  }

  /** Sidecars wait for others only when all are to end. */
  private boolean isItsTurn(String container) {
    return worker.stage() == Stage.RUNS
        || TerminationOrder.isItsTurn(
            worker.rules(),
            container,
            worker.observation().running().stream().map(ContainerStatus::name).toList());
  }

  /**
   * Takes note of what runs by now.
   *
   * @param running their ids
   */
  void observed(Set<String> running) {
    byId.entrySet()
        .removeIf(stop -> {
          boolean ended = !running.contains(stop.getKey());
          if (ended) {
            stop.getValue().ended();
          }
          return ended;
        });
    byId.values().forEach(ContainerStop::othersEnded);
  }
}
