package dev.berth.agent.runtime;

import java.util.List;

/** The cgroups of a pod, with what the kernel tells of them in detail. */
public record PodGroups(PodId pod, Group own, List<OfContainer> containers) {
  public PodGroups {
    containers = List.copyOf(containers);
  }

  /**
   * A group.
   *
   * @param path such as {@code kubepods/burstable/pod1234}
   * @param outOfMemoryKills how many processes were killed because it had reached its limit
   */
  public record Group(
      String path, GroupDetails details, GroupProcesses processes, long outOfMemoryKills) {}

  /**
   * The one of a container that runs.
   *
   * @param id unique on this machine, without the runtime's name
   * @param image as the runtime names it
   */
  public record OfContainer(String name, String id, String image, Group group) {}
}
