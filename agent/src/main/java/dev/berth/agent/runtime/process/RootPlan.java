package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.DeviceNode;
import dev.berth.agent.runtime.Mount;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the root of a container is put together from.
 *
 * @param image the directory of an imported image; empty for the machine's programs
 * @param etc the directory with the pod's files of /etc
 * @param sharedMemory the directory that is /dev/shm
 * @param tools what the way to the command needs if the image may not have it; empty if it has
 * @param network the namespace of the pod's network; empty for the machine's
 * @param ipc likewise
 * @param cgroups where its cgroup is, by the names of the trees below /sys/fs/cgroup
 * @param hasTerminal whether its terminals are mounted in its directory already
 * @param hasHostProcesses whether /proc shows those of the machine
 */
record RootPlan(
    ContainerFiles files,
    Optional<Path> image,
    Path etc,
    Path sharedMemory,
    Optional<Path> tools,
    Optional<Path> network,
    Optional<Path> ipc,
    Map<String, Path> cgroups,
    boolean hasHostProcesses,
    boolean isPrivileged,
    boolean isReadOnly,
    boolean isProcUnmasked,
    boolean hasTerminal,
    List<Mount> mounts,
    String workingDirectory,
    List<DeviceNode> devices) {}
