package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.LogRotation;
import dev.berth.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * How the process runtime works on a machine.
 *
 * @param stateRoot where it keeps what it must find again
 * @param podCidrs the ranges that pods get addresses from, one for each family; empty until known
 * @param sys where the machine's /sys is
 * @param proc where the machine's /proc is
 * @param cgroupParent the group of all pods, such as {@code berth-1c2d3e4f}
 * @param bridge the network device that connects pods
 * @param podPids how many processes a pod may have that says nothing about it
 * @param logDirectory where the logs of all pods are
 * @param logs how logs are rotated
 */
public record ProcessSettings(
    Path stateRoot,
    Supplier<List<String>> podCidrs,
    Path sys,
    Path proc,
    String cgroupParent,
    String bridge,
    long podPids,
    Path logDirectory,
    LogRotation logs,
    Time time) {

  /** Enough for a large application, and few enough for a machine that has 32768. */
  public static final long DEFAULT_POD_PIDS = 4096;

  /**
   * With the usual places, and names that no other agent on this machine uses: they are made from
   * the state's directory.
   */
  public static ProcessSettings of(
      Path stateRoot,
      Supplier<List<String>> podCidrs,
      Path logDirectory,
      LogRotation logs,
      Time time) {
    Path root = stateRoot.toAbsolutePath().normalize();
    String own = ownName(root);
    return new ProcessSettings(
        root,
        podCidrs,
        Path.of("/sys"),
        Path.of("/proc"),
        own,
        own,
        DEFAULT_POD_PIDS,
        logDirectory.toAbsolutePath().normalize(),
        logs,
        time);
  }

  /** A name for what an agent makes on this machine, which no other agent has. */
  public static String ownName(Path stateRoot) {
    return "berth-" + Hashes.shortName(stateRoot.toAbsolutePath().normalize().toString());
  }

  /** Whether the kernel can show a container its own cgroup as the root of all. */
  boolean hasCgroupNamespaces() {
    return Files.exists(proc.resolve("self/ns/cgroup"));
  }

  Path pods() {
    return stateRoot.resolve("pods");
  }
}
