package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.PodUsage.OfContainer;
import dev.berth.agent.runtime.PodUsage.Traffic;
import dev.berth.agent.volume.DiskUsage;
import java.util.List;

/** What a pod uses, by its cgroups and its files. */
final class SandboxUsage {
  private SandboxUsage() {}

  static PodUsage read(Sandbox sandbox, Cgroups cgroups, Traffic traffic, boolean measuresFiles) {
    List<OfContainer> containers =
        sandbox.containers().stream()
            .filter(Container::isRunning)
            .map(container -> read(container, cgroups, measuresFiles))
            .toList();
    SandboxState state = sandbox.state();
    return new PodUsage(state.pod(), cgroups.usage(state.cgroup()), containers, traffic);
  }

  private static OfContainer read(Container container, Cgroups cgroups, boolean measuresFiles) {
    return new OfContainer(
        container.state().name(),
        cgroups.usage(container.state().cgroup()),
        measuresFiles ? DiskUsage.ofAny(container.files().written()).bytes() : 0,
        measuresFiles ? DiskUsage.ofAny(container.files().logs()).bytes() : 0);
  }
}
