package dev.berth.agent.server;

import dev.berth.agent.pod.RunningPods;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a path names among the node's pods. */
final class FoundPods {
  private static final int NOT_FOUND = 404;
  private static final int INTERNAL_ERROR = 500;

  private final RunningPods pods;

  FoundPods(RunningPods pods) {
    this.pods = pods;
  }

  JsonObject pod(PodPath path, String whenMissing) throws Refusal {
    JsonObject pod =
        pods.find(path.namespace(), path.pod())
            .orElseThrow(() -> new Refusal(NOT_FOUND, whenMissing));
    if (!path.uid().isEmpty() && !path.uid().equals(id(pod).uid())) {
      throw new Refusal(NOT_FOUND, "pod not found");
    }
    return pod;
  }

  static PodId id(JsonObject pod) {
    JsonObject metadata = pod.object("metadata");
    return new PodId(
        metadata.text("namespace", ""), metadata.text("name", ""), metadata.text("uid", ""));
  }

  static boolean hasContainer(JsonObject pod, String name) {
    JsonObject spec = pod.object("spec");
    return Stream.of("containers", "initContainers", "ephemeralContainers")
        .flatMap(list -> spec.array(list).objects().stream())
        .anyMatch(container -> container.text("name", "").equals(name));
  }

  Optional<ContainerStatus> container(PodId pod, String name, boolean previous) {
    return pods.container(pod, name, previous);
  }

  /** The container that a command can run in. */
  ContainerStatus running(PodPath path) throws Refusal {
    JsonObject pod = pod(path, "pod does not exist");
    return container(id(pod), path.container(), false)
        .filter(ContainerStatus::isRunning)
        .orElseThrow(() ->
            new Refusal(
                INTERNAL_ERROR, "container not found (\"%s\")".formatted(path.container())));
  }
}
