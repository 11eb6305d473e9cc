package dev.berth.grpc.cri;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.cgroup.PodClasses;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.NodeAllocatable;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.grpc.criapi.Cri;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes and removes sandboxes, and what is the agent's of them: the pod's cgroup, with its limits,
 * and the directory of its logs.
 */
final class CriSandboxes {
  private static final String CREATE_ERROR = "CreatePodSandboxError";
  private static final String KILL_ERROR = "KillPodSandboxError";

  private final CriConnection connection;
  private final CriPods pods;
  private final Cgroups cgroups;
  private final PodClasses groups;
  private final RemoteRuntimes.Settings settings;
  private final UserRanges users = new UserRanges();

  CriSandboxes(
      CriConnection connection, CriPods pods, Cgroups cgroups, RemoteRuntimes.Settings settings) {
    this.connection = connection;
    this.pods = pods;
    this.cgroups = cgroups;
    this.groups = new PodClasses(cgroups, CriNames.PODS);
    this.settings = settings;
  }

  /** Networks take their time, so sandboxes may take twice as long as all else. */
  private Duration patience() {
    return connection.timeout().multipliedBy(2);
  }

  /** Makes a sandbox, unless there is one that is ready. */
  void start(SandboxSpec spec) throws RuntimeFailure {
    List<Cri.PodSandbox> known = pods.sandboxes(spec.pod().uid());
    Optional<Cri.PodSandbox> newest = known.stream().reduce((_, later) -> later);
    if (newest.isPresent() && isReady(newest.get())) {
      return;
    }
    for (Cri.PodSandbox old : known) {
      // Gives back its address, which a sandbox that died by itself still has.
      stop(old, CREATE_ERROR);
    }
    int attempt = newest.map(each -> each.getMetadata().getAttempt() + 1).orElse(0);
    if (spec.hostUsers()) {
      run(spec, attempt, Cri.IDMapping.getDefaultInstance());
      return;
    }
    try {
      run(spec, attempt, users.give(spec.pod().uid(), () -> pods.sandboxes(Map.of())));
    } finally {
      users.settle(spec.pod().uid());
    }
  }

  private void run(SandboxSpec spec, int attempt, Cri.IDMapping range) throws RuntimeFailure {
    Cri.PodSandboxConfig config = SandboxConfigs.of(spec, attempt, range, settings.logDirectory());
    try {
      Files.createDirectories(Path.of(config.getLogDirectory()));
      groups.create(CriNames.cgroup(spec), limited(spec.limits()));
    } catch (IOException e) {
      throw new RuntimeFailure(CREATE_ERROR, String.valueOf(e.getMessage()), e);
    }
    Cri.RunPodSandboxRequest request =
        Cri.RunPodSandboxRequest.newBuilder()
            .setConfig(config)
            .setRuntimeHandler(spec.runtimeHandler())
            .build();
    CriConnection.call(CREATE_ERROR, () -> connection.runtime(patience()).runPodSandbox(request));
  }

  private Limits limited(Limits limits) {
    return limits.pids().isPresent() ? limits : limits.withPids(settings.podPids());
  }

  private static boolean isReady(Cri.PodSandbox sandbox) {
    return sandbox.getState() == Cri.PodSandboxState.SANDBOX_READY;
  }

  /** The newest sandbox of a pod. */
  Cri.PodSandbox ready(String podUid, String reason) throws RuntimeFailure {
    return pods.sandboxes(podUid).stream()
        .reduce((_, later) -> later)
        .filter(CriSandboxes::isReady)
        .orElseThrow(() -> new RuntimeFailure(reason, "the pod has no sandbox that is ready"));
  }

  /** What a sandbox was made from. */
  Cri.PodSandboxConfig config(Cri.PodSandbox sandbox) {
    return SandboxConfigs.kept(sandbox.getLabelsMap(), sandbox.getAnnotationsMap())
        .orElseGet(() ->
            Cri.PodSandboxConfig.newBuilder()
                .setMetadata(sandbox.getMetadata())
                .setLogDirectory(logs(CriNames.pod(sandbox.getLabelsMap())).toString())
                .putAllLabels(sandbox.getLabelsMap())
                .putAllAnnotations(sandbox.getAnnotationsMap())
                .build());
  }

  private Path logs(PodId pod) {
    return settings.logDirectory().resolve(pod.logDirectory());
  }

  /** The cgroup of a pod, without the first slash; empty if it is not known. */
  static String cgroup(Cri.PodSandbox sandbox) {
    return SandboxConfigs.kept(sandbox.getLabelsMap(), sandbox.getAnnotationsMap())
        .map(config -> config.getLinux().getCgroupParent())
        .filter(parent -> parent.startsWith("/"))
        .map(parent -> parent.substring(1))
        .orElse("");
  }

  void stop(String podUid) throws RuntimeFailure {
    for (Cri.PodSandbox sandbox : pods.sandboxes(podUid)) {
      stop(sandbox, KILL_ERROR);
    }
  }

  private void stop(Cri.PodSandbox sandbox, String reason) throws RuntimeFailure {
    Cri.StopPodSandboxRequest request =
        Cri.StopPodSandboxRequest.newBuilder().setPodSandboxId(sandbox.getId()).build();
    unlessGone(reason, () -> connection.runtime(patience()).stopPodSandbox(request));
    pods.forgetSandbox(sandbox.getId());
  }

  /** Removes all of a pod: containers go with their sandbox. */
  void remove(String podUid) throws RuntimeFailure {
    for (Cri.PodSandbox sandbox : pods.sandboxes(podUid)) {
      stop(sandbox, KILL_ERROR);
      remove(sandbox);
      try {
        String group = cgroup(sandbox);
        if (!group.isEmpty()) {
          cgroups.kill(group);
          groups.remove(group);
        }
        delete(logs(CriNames.pod(sandbox.getLabelsMap())));
      } catch (IOException e) {
        throw new RuntimeFailure(KILL_ERROR, String.valueOf(e.getMessage()), e);
      }
    }
  }

  private void remove(Cri.PodSandbox sandbox) throws RuntimeFailure {
    Cri.RemovePodSandboxRequest request =
        Cri.RemovePodSandboxRequest.newBuilder().setPodSandboxId(sandbox.getId()).build();
    unlessGone(KILL_ERROR, () -> connection.runtime().removePodSandbox(request));
    pods.forgetSandbox(sandbox.getId());
  }

  /** Removes sandboxes that newer ones have replaced and that no container is left of. */
  void removeEmpty(String podUid, List<Cri.Container> left) throws RuntimeFailure {
    List<Cri.PodSandbox> all = pods.sandboxes(podUid);
    for (Cri.PodSandbox old : all.subList(0, Math.max(0, all.size() - 1))) {
      if (left.stream().noneMatch(each -> each.getPodSandboxId().equals(old.getId()))) {
        remove(old);
      }
    }
  }

  void resize(String podUid, Limits limits) throws RuntimeFailure {
    String group = cgroup(ready(podUid, "ResizePodError"));
    if (group.isEmpty()) {
      return;
    }
    try {
      groups.limit(group, limited(limits));
    } catch (IOException e) {
      throw new RuntimeFailure("ResizePodError", String.valueOf(e.getMessage()), e);
    }
  }

  void confine(NodeAllocatable allocatable) throws RuntimeFailure {
    try {
      groups.confine(allocatable);
    } catch (IOException e) {
      throw new RuntimeFailure("NodeAllocatableError", String.valueOf(e.getMessage()), e);
    }
  }

  /** Whatever is to go may have gone. */
  static void unlessGone(String reason, Runnable call) throws RuntimeFailure {
    CriConnection.call(
        reason,
        () -> {
          try {
            call.run();
          } catch (StatusRuntimeException e) {
            if (!CriConnection.is(e, Status.Code.NOT_FOUND)) {
              throw e;
            }
          }
          return true;
        });
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
