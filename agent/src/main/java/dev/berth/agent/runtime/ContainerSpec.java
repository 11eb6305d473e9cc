package dev.berth.agent.runtime;

import java.util.List;
import java.util.Map;

/**
 * A container to start, with everything resolved: what refers to other objects has been read, and
 * what has to be expanded is.
 *
 * @param attempt how often a container of this name was started in this pod before
 * @param image its name in the pod's specification
 * @param command instead of the image's own; empty for that
 * @param arguments likewise
 * @param environment in the order of the specification, names unique
 * @param workingDirectory empty for the image's own
 * @param mounts in an order in which they can be made
 * @param terminationMessageFile on the machine, mounted into the container by {@code mounts}
 * @param stdin whether it has a standard input that can be attached to
 * @param stdinOnce whether that ends when the first to attach leaves
 * @param stopSignal such as {@code SIGTERM}; empty for the image's own
 * @param devices beside those that every container has
 * @param cdiDevices names of devices that the runtime is to look up by the Container Device
 *     Interface
 * @param targetContainer the container of the pod whose processes it is among; empty for none
 */
public record ContainerSpec(
    PodId pod,
    String name,
    int attempt,
    String image,
    List<String> command,
    List<String> arguments,
    Map<String, String> environment,
    String workingDirectory,
    List<Mount> mounts,
    Security security,
    Limits limits,
    String terminationMessageFile,
    boolean stdin,
    boolean stdinOnce,
    boolean tty,
    String stopSignal,
    List<DeviceNode> devices,
    List<String> cdiDevices,
    String targetContainer) {

  /** The images that it mounts, by the names in its pod's specification. */
  public List<String> mountedImages() {
    return mounts.stream().filter(Mount::isImage).map(Mount::image).distinct().toList();
  }

  /** The same with other mounts. */
  public ContainerSpec mounting(List<Mount> others) {
    return new ContainerSpec(
        pod,
        name,
        attempt,
        image,
        command,
        arguments,
        environment,
        workingDirectory,
        List.copyOf(others),
        security,
        limits,
        terminationMessageFile,
        stdin,
        stdinOnce,
        tty,
        stopSignal,
        devices,
        cdiDevices,
        targetContainer);
  }
}
