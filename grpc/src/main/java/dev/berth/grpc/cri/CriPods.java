package dev.berth.grpc.cri;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ContainerUser;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.grpc.criapi.Cri;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime holds, as the agent sees it. A pod may have had several sandboxes; the newest
 * counts, and the containers of all of them are its.
 *
 * <p>What does not change is asked for once: the addresses of a sandbox that is ready, and all
 * about a container but whether it has ended. A container that was created and never started is
 * none: an agent died in between, and the next one creates it anew.
 */
final class CriPods {
  private static final String REASON = "RuntimeError";
  private static final Comparator<Cri.PodSandbox> BY_AGE =
      Comparator.comparingLong(Cri.PodSandbox::getCreatedAt)
          .thenComparingInt(each -> each.getMetadata().getAttempt());

  private final CriConnection connection;
  private final Path logs;

  /** By the sandbox's id. */
  private final Map<String, List<String>> addresses = new ConcurrentHashMap<>();

  /** By the container's id, as it was last asked for. */
  private final Map<String, Cri.ContainerStatus> statuses = new ConcurrentHashMap<>();

  CriPods(CriConnection connection, Path logs) {
    this.connection = connection;
    this.logs = logs;
  }

  List<PodSandbox> list() throws RuntimeFailure {
    return group(sandboxes(Map.of()), containers(Map.of()));
  }

  Optional<PodSandbox> find(String podUid) throws RuntimeFailure {
    Map<String, String> ofPod = Map.of(CriNames.POD_UID, podUid);
    return group(sandboxes(ofPod), containers(ofPod)).stream().findFirst();
  }

  /** A pod's, the newest last. */
  List<Cri.PodSandbox> sandboxes(String podUid) throws RuntimeFailure {
    return sandboxes(Map.of(CriNames.POD_UID, podUid));
  }

  /** With these labels, the newest last; those that do not say whose they are, are left out. */
  List<Cri.PodSandbox> sandboxes(Map<String, String> labels) throws RuntimeFailure {
    Cri.ListPodSandboxRequest request =
        Cri.ListPodSandboxRequest.newBuilder()
            .setFilter(Cri.PodSandboxFilter.newBuilder().putAllLabelSelector(labels))
            .build();
    return CriConnection.call(REASON, () -> connection.runtime().listPodSandbox(request))
        .getItemsList()
        .stream()
        .filter(each -> each.getLabelsMap().containsKey(CriNames.POD_UID))
        .sorted(BY_AGE)
        .toList();
  }

  List<Cri.Container> containers(Map<String, String> labels) throws RuntimeFailure {
    Cri.ListContainersRequest request =
        Cri.ListContainersRequest.newBuilder()
            .setFilter(Cri.ContainerFilter.newBuilder().putAllLabelSelector(labels))
            .build();
    return CriConnection.call(REASON, () -> connection.runtime().listContainers(request))
        .getContainersList();
  }

  private List<PodSandbox> group(List<Cri.PodSandbox> sandboxes, List<Cri.Container> containers)
      throws RuntimeFailure {
    Map<String, Cri.PodSandbox> newest = new LinkedHashMap<>();
    sandboxes.forEach(each -> newest.put(each.getLabelsOrThrow(CriNames.POD_UID), each));
    Map<String, List<Cri.Container>> byPod = new LinkedHashMap<>();
    for (Cri.Container container : containers) {
      String uid = container.getLabelsMap().getOrDefault(CriNames.POD_UID, "");
      byPod.computeIfAbsent(uid, _ -> new ArrayList<>()).add(container);
    }
    List<PodSandbox> pods = new ArrayList<>();
    for (Map.Entry<String, Cri.PodSandbox> each : newest.entrySet()) {
      pods.add(pod(each.getValue(), byPod.getOrDefault(each.getKey(), List.of())));
    }
    return pods;
  }

  private PodSandbox pod(Cri.PodSandbox sandbox, List<Cri.Container> containers)
      throws RuntimeFailure {
    List<ContainerStatus> all = new ArrayList<>();
    for (Cri.Container container : containers) {
      if (container.getState() != Cri.ContainerState.CONTAINER_CREATED) {
        Cri.ContainerStatus status = status(container);
        if (status != null) {
          all.add(container(status));
        }
      }
    }
    all.sort(Comparator.comparing(ContainerStatus::started));
    boolean isReady = sandbox.getState() == Cri.PodSandboxState.SANDBOX_READY;
    return new PodSandbox(
        CriNames.pod(sandbox.getLabelsMap()),
        time(sandbox.getCreatedAt()),
        isReady,
        isReady ? addresses(sandbox.getId()) : List.of(),
        all);
  }

  /** Null if it is gone by now. */
  private Cri.@Nullable ContainerStatus status(Cri.Container container) throws RuntimeFailure {
    Cri.ContainerStatus known = statuses.get(container.getId());
    if (known != null && known.getState() == container.getState()) {
      return known;
    }
    try {
      return status(container.getId());
    } catch (RuntimeFailure e) {
      if (e.getCause() != null && CriConnection.is(e.getCause(), Status.Code.NOT_FOUND)) {
        return null;
      }
      throw e;
    }
  }

  /** Asks for all about a container. */
  Cri.ContainerStatus status(String id) throws RuntimeFailure {
    Cri.ContainerStatusRequest request =
        Cri.ContainerStatusRequest.newBuilder().setContainerId(id).build();
    Cri.ContainerStatus status =
        CriConnection.call(REASON, () -> connection.runtime().containerStatus(request)).getStatus();
    statuses.put(id, status);
    return status;
  }

  /** What is known of a container, however old; asked for if nothing is. */
  Cri.ContainerStatus known(String id) throws RuntimeFailure {
    Cri.ContainerStatus known = statuses.get(id);
    return known == null ? status(id) : known;
  }

  /** Who a container that is known was started as, if its runtime says so. */
  Optional<ContainerUser> user(String id) {
    return Optional.ofNullable(statuses.get(id))
        .filter(status -> status.getUser().hasLinux())
        .map(status -> status.getUser().getLinux())
        .map(user ->
            new ContainerUser(user.getUid(), user.getGid(), user.getSupplementalGroupsList()));
  }

  ContainerStatus container(Cri.ContainerStatus status) {
    Instant created = time(status.getCreatedAt());
    Instant started = status.getStartedAt() == 0 ? created : time(status.getStartedAt());
    String image = status.getImage().getUserSpecifiedImage();
    return new ContainerStatus(
        status.getId(),
        status.getMetadata().getName(),
        status.getMetadata().getAttempt(),
        image.isEmpty() ? status.getImage().getImage() : image,
        status.getAnnotationsOrDefault(CriNames.IMAGE, ""),
        mountedImages(status),
        status.getImageRef(),
        started,
        logFile(status),
        exit(status, started));
  }

  private static List<String> mountedImages(Cri.ContainerStatus status) {
    String ids = status.getAnnotationsOrDefault(CriNames.MOUNTED_IMAGES, "");
    return ids.isEmpty() ? List.of() : List.of(ids.split(",", -1));
  }

  /** Where a container's log is. */
  String logFile(Cri.Container container) throws RuntimeFailure {
    Cri.ContainerStatus known = status(container);
    return known == null ? "" : logFile(known);
  }

  private String logFile(Cri.ContainerStatus status) {
    return status.getLogPath().isEmpty()
        ? logs.resolve(CriNames.pod(status.getLabelsMap()).logDirectory())
            .resolve(status.getMetadata().getName())
            .resolve(status.getMetadata().getAttempt() + ".log")
            .toString()
        : status.getLogPath();
  }

  private static ContainerStatus.@Nullable Exit exit(Cri.ContainerStatus status, Instant started) {
    if (status.getState() != Cri.ContainerState.CONTAINER_EXITED) {
      return null;
    }
    boolean neverRan =
        status.getReason().equals("StartError") || status.getReason().equals("ContainerCannotRun");
    // A runtime may have noted the end of a short one before its beginning.
    Instant finished = status.getFinishedAt() == 0 ? started : time(status.getFinishedAt());
    return new ContainerStatus.Exit(
        status.getExitCode(),
        0,
        status.getReason().equals("OOMKilled"),
        neverRan ? status.getMessage() : "",
        finished.isBefore(started) ? started : finished);
  }

  /** A sandbox's addresses; those that it has once stay. */
  List<String> addresses(String sandboxId) throws RuntimeFailure {
    List<String> known = addresses.get(sandboxId);
    if (known != null) {
      return known;
    }
    Cri.PodSandboxStatusRequest request =
        Cri.PodSandboxStatusRequest.newBuilder().setPodSandboxId(sandboxId).build();
    Cri.PodSandboxStatus status;
    try {
      status = connection.runtime().podSandboxStatus(request).getStatus();
    } catch (StatusRuntimeException e) {
      if (CriConnection.is(e, Status.Code.NOT_FOUND)) {
        return List.of();
      }
      return CriConnection.call(
          REASON,
          () -> {
            throw e;
          });
    }
    List<String> found = new ArrayList<>();
    boolean hostNetwork =
        status.getLinux().getNamespaces().getOptions().getNetwork() == Cri.NamespaceMode.NODE;
    if (!hostNetwork && !status.getNetwork().getIp().isEmpty()) {
      found.add(status.getNetwork().getIp());
      status.getNetwork().getAdditionalIpsList().forEach(each -> found.add(each.getIp()));
    }
    if (hostNetwork || !found.isEmpty()) {
      addresses.put(sandboxId, List.copyOf(found));
    }
    return List.copyOf(found);
  }

  /** Forgets what was known of all that a runtime does not have any more. */
  void retain(Collection<Cri.PodSandbox> sandboxes, Collection<Cri.Container> containers) {
    addresses
        .keySet()
        .retainAll(sandboxes.stream().map(Cri.PodSandbox::getId).collect(Collectors.toSet()));
    statuses
        .keySet()
        .retainAll(containers.stream().map(Cri.Container::getId).collect(Collectors.toSet()));
  }

  void forgetSandbox(String id) {
    addresses.remove(id);
  }

  void forgetContainer(String id) {
    statuses.remove(id);
  }

  private static Instant time(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }
}
