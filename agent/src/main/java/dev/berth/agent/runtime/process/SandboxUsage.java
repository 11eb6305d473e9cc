package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.cgroup.GroupReader;
import dev.berth.agent.runtime.PodGroups;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.PodUsage.Files;
import dev.berth.agent.runtime.PodUsage.Interface;
import dev.berth.agent.runtime.PodUsage.OfContainer;
import dev.berth.agent.volume.DiskUsage;
import java.nio.file.Path;
import java.util.List;

/** What a pod uses, by its cgroups and its files. */
final class SandboxUsage {
  private SandboxUsage() {}

  static PodUsage read(
      Sandbox sandbox, Cgroups cgroups, List<Interface> network, boolean measuresFiles) {
    List<OfContainer> containers =
        sandbox.containers().stream()
            .filter(Container::isRunning)
            .map(container -> read(container, cgroups, measuresFiles))
            .toList();
    SandboxState state = sandbox.state();
    return new PodUsage(state.pod(), cgroups.usage(state.cgroup()), containers, network);
  }

  /** All about these groups. */
  static PodGroups groups(Sandbox sandbox, GroupReader reader) {
    return new PodGroups(
        sandbox.state().pod(),
        reader.read(sandbox.state().cgroup()),
        sandbox.containers().stream()
            .filter(Container::isRunning)
            .map(Container::state)
            .map(each ->
                new PodGroups.OfContainer(
                    each.name(), each.id(), each.image(), reader.read(each.cgroup())))
            .toList());
  }

  private static OfContainer read(Container container, Cgroups cgroups, boolean measuresFiles) {
    return new OfContainer(
        container.state().name(),
        cgroups.usage(container.state().cgroup()),
        measuresFiles ? files(container.files().written()) : Files.NONE,
        measuresFiles ? files(container.files().logs()) : Files.NONE);
  }

  private static Files files(Path directory) {
    DiskUsage usage = DiskUsage.ofAny(directory);
    return new Files(usage.bytes(), usage.inodes());
  }
}
