package dev.berth.grpc.cri;

import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Security;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.grpc.criapi.Cri;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates, starts, stops and removes containers. */
final class CriContainers {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");
  private static final String CONFIG_ERROR = "CreateContainerConfigError";

  /**
   * What a runtime is told to wait for a container that was asked to end: the agent has it killed
   * when its time is up, and may give it less than it had.
   */
  private static final Duration LONG = Duration.ofDays(30);

  private final CriConnection connection;
  private final CriPods pods;
  private final CriSandboxes sandboxes;
  private final CriImages images;
  private final Consumer<String> changed;
  private final Supplier<String> version;
  private final CgroupFeatures machine;

  /**
   * @param changed told the uid of a pod one of whose containers has ended
   * @param version of the runtime
   */
  CriContainers(
      CriConnection connection,
      CriPods pods,
      CriSandboxes sandboxes,
      CriImages images,
      RemoteRuntimes.Settings settings,
      Consumer<String> changed,
      Supplier<String> version) {
    this.connection = connection;
    this.pods = pods;
    this.sandboxes = sandboxes;
    this.images = images;
    this.changed = changed;
    this.version = version;
    machine = CgroupFeatures.of(settings.sys());
  }

  ContainerStatus start(ContainerSpec spec) throws RuntimeFailure {
    Cri.PodSandbox sandbox = sandboxes.ready(spec.pod().uid(), "CreateContainerError");
    List<Cri.Container> known =
        pods.containers(
            Map.of(CriNames.POD_UID, spec.pod().uid(), CriNames.CONTAINER_NAME, spec.name()));
    for (Cri.Container each : known) {
      if (each.getMetadata().getAttempt() == spec.attempt()) {
        if (each.getState() != Cri.ContainerState.CONTAINER_CREATED) {
          return pods.container(pods.status(each.getId()));
        }
        // An agent died before it was started, and it may have been created for something else.
        removeNow(each.getId());
      }
    }
    Cri.Image image =
        images
            .status(spec.image())
            .orElseThrow(() ->
                new RuntimeFailure(
                    "CreateContainerError",
                    "image \"%s\" is no longer on this machine".formatted(spec.image())));
    checkUser(spec, image);
    Cri.PodSandboxConfig config = sandboxes.config(sandbox);
    String target = target(spec);
    Path log = Path.of(config.getLogDirectory()).resolve(ContainerConfigs.logPath(spec));
    try {
      Files.createDirectories(log.resolveSibling(""));
    } catch (IOException e) {
      throw new RuntimeFailure("CreateContainerError", String.valueOf(e.getMessage()), e);
    }
    Cri.CreateContainerRequest request =
        Cri.CreateContainerRequest.newBuilder()
            .setPodSandboxId(sandbox.getId())
            .setSandboxConfig(config)
            .setConfig(
                ContainerConfigs.of(
                    spec,
                    new ContainerConfigs.Place(
                        config,
                        image,
                        ImageVolumes.ids(spec, images, version.get()),
                        target,
                        machine)))
            .build();
    String id =
        CriConnection.plainCall(
                "CreateContainerError", () -> connection.runtime().createContainer(request))
            .getContainerId();
    CriConnection.plainCall(
        "RunContainerError",
        () ->
            connection
                .runtime()
                .startContainer(Cri.StartContainerRequest.newBuilder().setContainerId(id).build()));
    return pods.container(pods.status(id));
  }

  private static void checkUser(ContainerSpec spec, Cri.Image image) throws RuntimeFailure {
    Security security = spec.security();
    if (!security.mustNotBeRoot() || security.user().isPresent()) {
      return;
    }
    PodId pod = spec.pod();
    String where =
        "(pod: \"%s_%s(%s)\", container: %s)"
            .formatted(pod.name(), pod.namespace(), pod.uid(), spec.name());
    if (!image.getUsername().isEmpty()) {
      throw new RuntimeFailure(
          CONFIG_ERROR,
          "container has runAsNonRoot and image has non-numeric user (%s), cannot verify user is non-root %s"
              .formatted(image.getUsername(), where));
    }
    if (image.getUid().getValue() == 0) {
      throw new RuntimeFailure(
          CONFIG_ERROR, "container has runAsNonRoot and image will run as root " + where);
    }
  }

  /** The id of the container whose processes the new one is to be among. */
  private String target(ContainerSpec spec) throws RuntimeFailure {
    if (spec.targetContainer().isEmpty()) {
      return "";
    }
    return pods
        .containers(
            Map.of(
                CriNames.POD_UID,
                spec.pod().uid(),
                CriNames.CONTAINER_NAME,
                spec.targetContainer()))
        .stream()
        .filter(each -> each.getState() == Cri.ContainerState.CONTAINER_RUNNING)
        .map(Cri.Container::getId)
        .findFirst()
        .orElseThrow(() ->
            new RuntimeFailure(
                CONFIG_ERROR, "unable to find target container " + spec.targetContainer()));
  }

  /** The runtime sends the stop signal of the container or its image, and then waits for it. */
  void signal(String id) throws RuntimeFailure {
    try {
      stop(id, LONG);
    } catch (StatusRuntimeException e) {
      if (!CriConnection.is(e, Status.Code.DEADLINE_EXCEEDED)) {
        CriConnection.plainCall(
            "KillContainerError",
            () -> {
              throw e;
            });
      }
    }
  }

  void kill(String id) throws RuntimeFailure {
    CriConnection.plainCall(
        "KillContainerError",
        () -> {
          stop(id, Duration.ZERO);
          return true;
        });
  }

  /** Returns when it has ended, and tells its pod, so that nobody waits for the next list. */
  private void stop(String id, Duration grace) {
    Cri.StopContainerRequest request =
        Cri.StopContainerRequest.newBuilder()
            .setContainerId(id)
            .setTimeout(grace.toSeconds())
            .build();
    try {
      connection.runtime().stopContainer(request);
    } catch (StatusRuntimeException e) {
      if (!CriConnection.is(e, Status.Code.NOT_FOUND)) {
        throw e;
      }
    }
    tell(id);
  }

  private void tell(String id) {
    try {
      changed.accept(CriNames.pod(pods.status(id).getLabelsMap()).uid());
    } catch (RuntimeFailure e) {
      LOG.debug("container {} is gone: {}", id, e.getMessage());
    }
  }

  /** Ends a container whose runtime does not know how it is: it may still run. */
  void endLost(Cri.Container container) {
    try {
      kill(container.getId());
    } catch (RuntimeFailure e) {
      LOG.warn("lost container {} cannot be ended: {}", container.getId(), e.getMessage());
    }
  }

  void remove(String id) throws RuntimeFailure {
    Cri.ContainerStatus status;
    try {
      status = pods.status(id);
    } catch (RuntimeFailure e) {
      if (e.getCause() != null && CriConnection.is(e.getCause(), Status.Code.NOT_FOUND)) {
        return;
      }
      throw e;
    }
    if (status.getState() == Cri.ContainerState.CONTAINER_RUNNING) {
      throw new RuntimeFailure("RemoveContainerError", "container " + id + " is running");
    }
    String log = pods.container(status).logFile();
    removeNow(id);
    try {
      LogRotator.delete(Path.of(log));
    } catch (IOException e) {
      throw new RuntimeFailure("RemoveContainerError", String.valueOf(e.getMessage()), e);
    }
    String uid = CriNames.pod(status.getLabelsMap()).uid();
    sandboxes.removeEmpty(uid, pods.containers(Map.of(CriNames.POD_UID, uid)));
  }

  private void removeNow(String id) throws RuntimeFailure {
    Cri.RemoveContainerRequest request =
        Cri.RemoveContainerRequest.newBuilder().setContainerId(id).build();
    CriSandboxes.unlessGone(
        "RemoveContainerError", () -> connection.runtime().removeContainer(request));
    pods.forgetContainer(id);
  }

  void resize(String id, Limits limits) throws RuntimeFailure {
    Cri.UpdateContainerResourcesRequest request =
        Cri.UpdateContainerResourcesRequest.newBuilder()
            .setContainerId(id)
            .setLinux(ContainerConfigs.resources(limits, machine))
            .build();
    CriConnection.plainCall(
        "ResizeContainerError", () -> connection.runtime().updateContainerResources(request));
  }
}
