package dev.berth.hollow.pod;

import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * A pod as its node runs it, whatever the server knows of it. Immutable: each method returns what
 * it is after something happened.
 *
 * @param addresses the pod's, none until it has them
 * @param inits in the order of the specification
 * @param containers likewise
 */
public record PodRun(
    Instant startTime,
    List<String> addresses,
    List<ContainerRun> inits,
    List<ContainerRun> containers) {
  public PodRun {
    addresses = List.copyOf(addresses);
    inits = List.copyOf(inits);
    containers = List.copyOf(containers);
  }

  /** A pod that was admitted, and whose containers are being created. */
  public static PodRun accepted(JsonObject spec, Instant now) {
    JsonArray inits = spec.array("initContainers");
    String reason = inits.isEmpty() ? "ContainerCreating" : "PodInitializing";
    return new PodRun(
        now,
        List.of(),
        all(inits, _ -> ContainerRun.waiting(reason)),
        all(spec.array("containers"), _ -> ContainerRun.waiting(reason)));
  }

  /** All of its containers run now; init containers have ended, sidecars run too. */
  public PodRun started(JsonObject spec, List<String> given, Instant now) {
    ContainerRun running = ContainerRun.running(now);
    ContainerRun done = new ContainerRun(ContainerState.Ended.of(0, startTime, now), 0, null);
    return new PodRun(
        startTime,
        given,
        all(spec.array("initContainers"), init -> isSidecar(init) ? running : done),
        all(spec.array("containers"), _ -> running));
  }

  static boolean isSidecar(JsonObject init) {
    return init.text("restartPolicy", "").equals("Always");
  }

  /** Everything that runs ends. */
  public PodRun stopped(int exitCode, Instant now) {
    return new PodRun(
        startTime,
        addresses,
        inits.stream().map(c -> c.ended(exitCode, now)).toList(),
        containers.stream().map(c -> c.ended(exitCode, now)).toList());
  }

  /** Some containers end, by themselves. */
  public PodRun ended(IntPredicate which, int exitCode, Instant now) {
    return withContainers(
        i -> which.test(i) ? containers.get(i).ended(exitCode, now) : containers.get(i));
  }

  /**
   * Containers that ended, and will be started again, wait until then.
   *
   * @param message of the status of each
   */
  public PodRun backingOff(String restartPolicy, IntFunction<String> message) {
    return withContainers(i -> {
      ContainerRun container = containers.get(i);
      return isRestarted(restartPolicy, container)
          ? container.backingOff(message.apply(i))
          : container;
    });
  }

  /** Containers that do not run, but are to, are started again. */
  public PodRun restarted(String restartPolicy, Instant now) {
    return withContainers(i -> {
      ContainerRun container = containers.get(i);
      return isRestarted(restartPolicy, container) ? container.restarted(now) : container;
    });
  }

  /** Whether a container does not run, but is to. */
  public boolean hasToRestart(String restartPolicy) {
    return containers.stream().anyMatch(c -> isRestarted(restartPolicy, c));
  }

  private static boolean isRestarted(String restartPolicy, ContainerRun container) {
    if (container.isRunning()) {
      return false;
    }
    return switch (restartPolicy) {
      case "Never" -> container.exitCode() < 0;
      case "OnFailure" -> container.exitCode() != 0;
      default -> true;
    };
  }

  /** Sidecars end once all other containers have. */
  public PodRun withoutSidecars(Instant now) {
    return new PodRun(
        startTime, addresses, inits.stream().map(c -> c.ended(0, now)).toList(), containers);
  }

  private PodRun withContainers(Function<Integer, ContainerRun> change) {
    List<ContainerRun> changed = new ArrayList<>(containers.size());
    for (int i = 0; i < containers.size(); i++) {
      changed.add(change.apply(i));
    }
    return new PodRun(startTime, addresses, inits, changed);
  }

  public boolean allRun() {
    return containers.stream().allMatch(ContainerRun::isRunning);
  }

  /** Since when all of its containers run without a break; the pod's start if one does not. */
  public Instant runningSince() {
    Instant since = startTime;
    for (ContainerRun container : containers) {
      if (container.state() instanceof ContainerState.Running(Instant at) && at.isAfter(since)) {
        since = at;
      }
    }
    return since;
  }

  /**
   * The phase of a pod that is to run.
   *
   * <ul>
   *   <li>Pending while no container was ever started.
   *   <li>Running while one runs, or will be started again: all that end, where the restart policy
   *       is Always; those that fail, where it is OnFailure.
   *   <li>Otherwise Succeeded if all ended with 0, and Failed if one did not.
   * </ul>
   *
   * @param stays false if the pod is being stopped, so that nothing is started again
   */
  public PodPhase phase(String restartPolicy, boolean stays) {
    boolean begun = containers.stream().anyMatch(c -> c.isRunning() || c.exitCode() >= 0);
    if (!begun) {
      return PodPhase.PENDING;
    }
    boolean failed = containers.stream().anyMatch(c -> c.exitCode() > 0);
    boolean ended = containers.stream().noneMatch(ContainerRun::isRunning);
    boolean again =
        stays
            && switch (restartPolicy) {
              case "Never" -> false;
              case "OnFailure" -> failed;
              default -> true;
            };
    if (!ended || again) {
      return PodPhase.RUNNING;
    }
    return failed ? PodPhase.FAILED : PodPhase.SUCCEEDED;
  }

  /** A pod that another agent ran, or this one before it was started again. */
  public static PodRun read(JsonObject pod, Instant now) {
    JsonObject status = pod.object("status");
    String start = status.text("startTime");
    return new PodRun(
        start == null ? now : Times.parse(start),
        status.array("podIPs").objects().stream().map(ip -> ip.text("ip", "")).toList(),
        read(pod, "initContainers", "initContainerStatuses", now),
        read(pod, "containers", "containerStatuses", now));
  }

  private static List<ContainerRun> read(
      JsonObject pod, String containers, String statuses, Instant now) {
    List<JsonObject> shown = pod.object("status").array(statuses).objects();
    return all(
        pod.object("spec").array(containers),
        container ->
            shown.stream()
                .filter(s -> s.text("name", "").equals(container.text("name", "")))
                .findFirst()
                .map(s -> ContainerRun.read(s, now))
                .orElseGet(() -> ContainerRun.waiting("ContainerCreating")));
  }

  private static List<ContainerRun> all(
      JsonArray containers, Function<JsonObject, ContainerRun> run) {
    return containers.objects().stream().map(run).toList();
  }
}
