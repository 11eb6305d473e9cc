package dev.berth.agent.cgroup;

import dev.berth.agent.runtime.GroupDetails;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.PodUsage.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Groups of processes by their paths, such as {@code kubepods/burstable/pod1234/web}. What is asked
 * of a group that does not exist does nothing, and it uses nothing.
 *
 * <p>A group is made before a process joins it, and has its limits by then: a process that joins is
 * never without them.
 */
public interface Cgroups {

  /**
   * Those of a machine.
   *
   * @param sys where its /sys is
   */
  static Cgroups of(Path sys) {
    Path root = sys.resolve("fs/cgroup");
    return isVersion2(sys) ? new CgroupsV2(root) : new CgroupsV1(root);
  }

  /** Whether a machine has those of version 2 alone. */
  static boolean isVersion2(Path sys) {
    return Files.exists(sys.resolve("fs/cgroup/cgroup.controllers"));
  }

  /** What containers are limited by on most machines. */
  List<String> USUAL_CONTROLLERS = List.of("cpu", "memory", "pids");

  /** Which of the usual controllers the machine has; empty if it has no groups at all. */
  Optional<List<String>> controllers();

  /** Makes a group, and those above it, unless they exist. */
  void create(String group) throws IOException;

  /** Sets all limits of a group, also those that it is to have no longer. */
  void limit(String group, Limits limits) throws IOException;

  /**
   * Gives a group its weight against others when all want processors, and leaves all else of it.
   *
   * @param shares as {@link Limits} has them
   */
  void weigh(String group, long shares) throws IOException;

  /** What the groups in a group weigh together. */
  long weightsIn(String group) throws IOException;

  /**
   * Limits the memory and the processes of a group, swap not counted, and leaves all else of it.
   */
  void bound(String group, long memoryBytes, OptionalLong processes) throws IOException;

  /**
   * Keeps the processes of a group from using devices. Version 2 has no files for that, but
   * programs for the kernel, which are not written here: there nothing happens.
   *
   * @param rules such as {@code c 10:229 w}: what may not be done with a device
   */
  void denyDevices(String group, List<String> rules) throws IOException;

  /** The files of a group to each of which a process writes its number in order to join it. */
  List<Path> joinFiles(String group);

  /**
   * Where a group is, by the names of the trees below {@code /sys/fs/cgroup} that it is in; with
   * version 2 in one place, whose name is empty.
   */
  Map<String, Path> directories(String group);

  /** Whether there is a group. */
  default boolean exists(String group) {
    return directories(group).values().stream().anyMatch(Files::isDirectory);
  }

  /** The processes of a group and of all below it. */
  List<Long> processes(String group) throws IOException;

  /** Kills all processes of a group and of all below it, also those that they start meanwhile. */
  void kill(String group) throws IOException;

  Usage usage(String group);

  /** The same in detail, which takes longer to read. */
  GroupDetails details(String group);

  /** How many threads it may have; empty if that is not limited. */
  OptionalLong threadLimit(String group);

  /** How many of its processes were killed because it had reached its limit of memory. */
  long outOfMemoryKills(String group);

  /** Removes a group and all below it; waits for killed processes to be gone. */
  void remove(String group) throws IOException;
}
