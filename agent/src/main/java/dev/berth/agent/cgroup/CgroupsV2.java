package dev.berth.agent.cgroup;

import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.PodUsage.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Version 2: one tree with all controllers, in which only groups without others in them have
 * processes.
 */
final class CgroupsV2 implements Cgroups {
  private static final List<String> CONTROLLERS = List.of("cpu", "memory", "pids", "cpuset");
  private static final int PERIOD_MICROS = 100_000;

  private final Path root;

  CgroupsV2(Path root) {
    this.root = root;
  }

  @Override
  public Optional<List<String>> controllers() {
    String available = CgroupFiles.read(root.resolve("cgroup.controllers")).orElse("").strip();
    return Optional.of(
        USUAL_CONTROLLERS.stream().filter(each -> hasWord(available, each)).toList());
  }

  @Override
  public void create(String group) throws IOException {
    Path at = root;
    for (Path name : Path.of(group)) {
      passOnControllers(at);
      at = at.resolve(name);
      Files.createDirectories(at);
    }
  }

  /** A controller works in a group only if all above it pass it on. */
  private static void passOnControllers(Path group) throws IOException {
    String available = CgroupFiles.read(group.resolve("cgroup.controllers")).orElse("");
    String passed = CgroupFiles.read(group.resolve("cgroup.subtree_control")).orElse("");
    for (String controller : CONTROLLERS) {
      if (hasWord(available, controller) && !hasWord(passed, controller)) {
        CgroupFiles.write(group.resolve("cgroup.subtree_control"), "+" + controller);
      }
    }
  }

  private static boolean hasWord(String text, String word) {
    return List.of(text.split(" ", -1)).contains(word);
  }

  @Override
  public void limit(String group, Limits limits) throws IOException {
    Path at = CgroupFiles.group(root, group);
    CgroupFiles.writeIfExists(at.resolve("cpu.weight"), "" + weight(limits.cpuShares()));
    CgroupFiles.writeIfExists(
        at.resolve("cpu.max"), orMax(limits.cpuQuotaMicros()) + " " + PERIOD_MICROS);
    CgroupFiles.writeIfExists(at.resolve("memory.max"), orMax(limits.memoryBytes()));
    CgroupFiles.writeIfExists(at.resolve("memory.swap.max"), orMax(limits.swapBytes()));
    CgroupFiles.writeIfExists(at.resolve("pids.max"), orMax(limits.pids()));
    CgroupFiles.writeIfExists(at.resolve("cpuset.cpus"), orNothing(limits.cpus()));
    CgroupFiles.writeIfExists(at.resolve("cpuset.mems"), orNothing(limits.mems()));
  }

  @Override
  public void denyDevices(String group, List<String> rules) {}

  /**
   * A line without a list lifts a restriction; writing nothing at all would not reach the kernel.
   */
  private static String orNothing(String list) {
    return list.isEmpty() ? "\n" : list;
  }

  private static String orMax(OptionalLong value) {
    return value.isPresent() ? "" + value.getAsLong() : "max";
  }

  /** Shares go from 2 to 262144 and weights from 1 to 10000, in proportion. */
  static long weight(long shares) {
    long bounded = Math.clamp(shares, 2, 262_144);
    return 1 + (bounded - 2) * 9_999 / 262_142;
  }

  @Override
  public List<Path> joinFiles(String group) {
    return List.of(CgroupFiles.group(root, group).resolve("cgroup.procs"));
  }

  @Override
  public List<Long> processes(String group) throws IOException {
    return CgroupFiles.processes(CgroupFiles.group(root, group));
  }

  @Override
  public void kill(String group) throws IOException {
    CgroupFiles.kill(CgroupFiles.group(root, group).resolve("cgroup.kill"));
  }

  @Override
  public Usage usage(String group) {
    Path at = CgroupFiles.group(root, group);
    long used = CgroupFiles.number(at.resolve("memory.current"));
    String statistics = CgroupFiles.read(at.resolve("memory.stat")).orElse("");
    return new Usage(
        CgroupFiles.field(at.resolve("cpu.stat"), "usage_usec") * 1000,
        used,
        Math.max(0, used - CgroupFiles.field(statistics, "inactive_file")),
        CgroupFiles.field(statistics, "anon"),
        CgroupFiles.number(at.resolve("pids.current")),
        CgroupFiles.number(at.resolve("memory.swap.current")));
  }

  @Override
  public long outOfMemoryKills(String group) {
    return CgroupFiles.field(CgroupFiles.group(root, group).resolve("memory.events"), "oom_kill");
  }

  @Override
  public void remove(String group) throws IOException {
    CgroupFiles.remove(CgroupFiles.group(root, group));
  }
}
