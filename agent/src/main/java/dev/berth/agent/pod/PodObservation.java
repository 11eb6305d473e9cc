package dev.berth.agent.pod;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.model.core.ContainerState;
import dev.berth.policy.podrun.ObservedContainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod as its runtime showed it last.
 *
 * @param sandbox null if there is nothing of it
 * @param messages what containers left to say when they ended, by their ids
 */
record PodObservation(@Nullable PodSandbox sandbox, Map<String, String> messages) {
  static final PodObservation NOTHING = new PodObservation(null, Map.of());

  boolean hasSandbox() {
    return sandbox != null && sandbox.isReady();
  }

  List<ContainerStatus> containers() {
    return sandbox == null ? List.of() : sandbox.containers();
  }

  List<ContainerStatus> running() {
    return containers().stream().filter(ContainerStatus::isRunning).toList();
  }

  Optional<ContainerStatus> find(String id) {
    return containers().stream().filter(container -> container.id().equals(id)).findFirst();
  }

  List<String> addresses() {
    return sandbox == null ? List.of() : sandbox.addresses();
  }

  /** The same with a container that was just started. */
  PodObservation with(ContainerStatus started) {
    if (sandbox == null) {
      return this;
    }
    List<ContainerStatus> all = new ArrayList<>(sandbox.containers());
    all.removeIf(container -> container.id().equals(started.id()));
    all.add(started);
    return new PodObservation(
        new PodSandbox(
            sandbox.pod(), sandbox.created(), sandbox.isReady(), sandbox.addresses(), all),
        messages);
  }

  /**
   * The containers as rules see them.
   *
   * @param prefix what stands before ids in a status, such as {@code process://}
   */
  List<ObservedContainer> observed(String prefix) {
    return containers().stream().map(container -> observed(container, prefix)).toList();
  }

  private ObservedContainer observed(ContainerStatus container, String prefix) {
    boolean isOfSandbox = sandbox == null || !container.started().isBefore(sandbox.created());
    return new ObservedContainer(
        container.name(),
        prefix + container.id(),
        container.attempt(),
        container.image(),
        container.specImage(),
        container.imageId(),
        container.started(),
        isOfSandbox,
        ended(container, prefix));
  }

  private ContainerState.@Nullable Ended ended(ContainerStatus container, String prefix) {
    ContainerStatus.Exit exit = container.exit();
    if (exit == null) {
      return null;
    }
    return new ContainerState.Ended(
        exit.code(),
        reason(exit),
        exit.startError().isEmpty() ? messages.getOrDefault(container.id(), "") : exit.startError(),
        container.started(),
        exit.at(),
        prefix + container.id());
  }

  private static String reason(ContainerStatus.Exit exit) {
    if (!exit.startError().isEmpty()) {
      return "StartError";
    }
    return exit.outOfMemory() ? "OOMKilled" : exit.code() == 0 ? "Completed" : "Error";
  }
}
