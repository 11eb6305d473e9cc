package dev.berth.agent.podspec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.environment.Expansion;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.DeviceNode;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodId;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceGrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes a container to start from its specification, and the files it needs. Blocks. */
public final class ContainerSpecs {
  private ContainerSpecs() {}

  /**
   * A container that is about to be started.
   *
   * @param attempt how often one of its name was started before
   * @param environment with everything resolved
   * @param volumes what it mounts of the pod's volumes
   * @param volumeGroups the groups that the pod's volumes belong to
   * @param addresses the pod's own
   * @param node as the server shows it; empty if it is not known
   * @param devices what it is given to use its devices
   * @param placement which processors and memory it may use
   */
  public record Request(
      PodId id,
      JsonObject pod,
      JsonObject container,
      int attempt,
      Map<String, String> environment,
      List<Mount> volumes,
      List<Long> volumeGroups,
      List<String> addresses,
      JsonObject node,
      DeviceGrant devices,
      Placement.OfPod placement) {}

  public static ContainerSpec of(Request request, SpecSettings settings) throws SpecFailure {
    JsonObject container = request.container();
    String name = container.text("name", "");
    if (!container.array("volumeDevices").isEmpty()) {
      throw new SpecFailure("volumeDevices: block devices are not supported by this node");
    }
    List<Mount> mounts = new ArrayList<>(request.volumes());
    Path message = TerminationMessage.file(settings, request.id().uid(), name, request.attempt());
    try {
      addHosts(mounts, request, settings);
      TerminationMessage.create(message);
    } catch (IOException e) {
      throw new SpecFailure("cannot write the container's files: " + e.getMessage());
    }
    mounts.add(
        mount(
            message,
            container.text(TerminationMessage.PATH_FIELD, TerminationMessage.DEFAULT_PATH)));
    return new ContainerSpec(
        request.id(),
        name,
        request.attempt(),
        container.text("image", ""),
        expanded(container.array("command").texts(), request.environment()),
        expanded(container.array("args").texts(), request.environment()),
        request.environment(),
        container.text("workingDir", ""),
        List.copyOf(mounts),
        SecurityContext.read(request.pod(), container, request.volumeGroups(), settings),
        new ResourceLimits(request.pod(), request.node(), settings, request.placement())
            .of(container),
        message.toString(),
        container.flag("stdin", false),
        container.flag("stdinOnce", false),
        container.flag("tty", false),
        container.object("lifecycle").text("stopSignal", ""),
        request.devices().nodes().stream()
            .map(each -> new DeviceNode(each.hostPath(), each.containerPath(), each.permissions()))
            .toList(),
        request.devices().cdiDevices(),
        container.text("targetContainerName", ""));
  }

  private static List<String> expanded(List<String> words, Map<String, String> environment) {
    return words.stream().map(word -> Expansion.expand(word, environment)).toList();
  }

  /** A container that mounts its own file there keeps it. */
  private static void addHosts(List<Mount> mounts, Request request, SpecSettings settings)
      throws IOException {
    if (mounts.stream().anyMatch(mount -> mount.containerPath().equals(HostsFile.PLACE))) {
      return;
    }
    boolean hostNetwork = request.pod().object("spec").flag("hostNetwork", false);
    Path machines = Path.of(HostsFile.PLACE);
    Path file = settings.podDirectory(request.id().uid()).resolve(SpecFiles.HOSTS);
    HostsFile.write(
        file,
        HostsFile.content(
            request.pod(),
            PodHostname.of(request.pod(), settings.clusterDomain()),
            request.addresses(),
            hostNetwork && Files.exists(machines) ? Files.readString(machines, UTF_8) : ""));
    mounts.add(mount(file, HostsFile.PLACE));
  }

  private static Mount mount(Path file, String place) {
    return new Mount(file.toString(), place, false, false, "None");
  }
}
