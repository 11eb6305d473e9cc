package dev.berth.agent.cgroup;

import dev.berth.agent.runtime.GroupDetails;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.PodUsage.MemoryDetails;
import dev.berth.agent.runtime.PodUsage.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Version 2: one tree with all controllers, in which only groups without others in them have
 * processes.
 */
final class CgroupsV2 implements Cgroups {
  private static final List<String> CONTROLLERS =
      List.of("cpu", "memory", "pids", "hugetlb", "cpuset");

  private static final long NANOS_OF_A_MICRO = 1000;

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
        at.resolve("cpu.max"),
        limits.cpuQuota().map(quota -> quota.micros() + " " + quota.periodMicros()).orElse("max"));
    CgroupFiles.writeIfExists(at.resolve("memory.max"), CgroupFiles.orMax(limits.memoryBytes()));
    CgroupFiles.writeIfExists(at.resolve("memory.swap.max"), CgroupFiles.orMax(limits.swapBytes()));
    CgroupFiles.writeIfExists(
        at.resolve("memory.oom.group"), limits.isKilledAsAWhole() ? "1" : "0");
    CgroupFiles.writeIfExists(at.resolve("pids.max"), CgroupFiles.orMax(limits.pids()));
    CgroupFiles.limitHugePages(at, ".max", limits.hugePages());
    CgroupFiles.writeIfExists(at.resolve("cpuset.cpus"), orNothing(limits.cpus()));
    CgroupFiles.writeIfExists(at.resolve("cpuset.mems"), orNothing(limits.mems()));
  }

  @Override
  public void weigh(String group, long shares) throws IOException {
    CgroupFiles.writeIfExists(
        CgroupFiles.group(root, group).resolve("cpu.weight"), "" + weight(shares));
  }

  @Override
  public long weightsIn(String group) throws IOException {
    return CgroupFiles.children(CgroupFiles.group(root, group)).stream()
        .mapToLong(each -> shares(CgroupFiles.number(each.resolve("cpu.weight"))))
        .sum();
  }

  @Override
  public void bound(String group, long memoryBytes, OptionalLong processes) throws IOException {
    Path at = CgroupFiles.group(root, group);
    CgroupFiles.writeIfExists(at.resolve("memory.max"), "" + memoryBytes);
    CgroupFiles.writeIfExists(at.resolve("pids.max"), CgroupFiles.orMax(processes));
  }

  @Override
  public void denyDevices(String group, List<String> rules) {}

  /**
   * A line without a list lifts a restriction; writing nothing at all would not reach the kernel.
   */
  private static String orNothing(String list) {
    return list.isEmpty() ? "\n" : list;
  }

  /** Shares go from 2 to 262144 and weights from 1 to 10000, in proportion. */
  static long weight(long shares) {
    long bounded = Math.clamp(shares, 2, 262_144);
    return 1 + (bounded - 2) * 9_999 / 262_142;
  }

  /** The other way round, so that what was asked for comes out within a rounding. */
  private static long shares(long weight) {
    return weight == 0 ? 0 : 2 + (weight - 1) * 262_142 / 9_999;
  }

  @Override
  public List<Path> joinFiles(String group) {
    return List.of(CgroupFiles.group(root, group).resolve("cgroup.procs"));
  }

  @Override
  public Map<String, Path> directories(String group) {
    return Map.of("", CgroupFiles.group(root, group));
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
        CgroupFiles.number(at.resolve("memory.swap.current")),
        new MemoryDetails(
            CgroupFiles.field(statistics, "pgfault"),
            CgroupFiles.field(statistics, "pgmajfault"),
            CgroupFiles.limit(at.resolve("memory.max")),
            CgroupFiles.limit(at.resolve("memory.swap.max"))),
        CgroupFiles.pressures(at));
  }

  @Override
  public GroupDetails details(String group) {
    Path at = CgroupFiles.group(root, group);
    String times = CgroupFiles.read(at.resolve("cpu.stat")).orElse("");
    String[] limit = CgroupFiles.read(at.resolve("cpu.max")).orElse("max 100000").split(" ", -1);
    String statistics = CgroupFiles.read(at.resolve("memory.stat")).orElse("");
    return new GroupDetails(
        new GroupDetails.Cpu(
            CgroupFiles.field(times, "user_usec") * NANOS_OF_A_MICRO,
            CgroupFiles.field(times, "system_usec") * NANOS_OF_A_MICRO,
            CgroupFiles.field(times, "nr_periods"),
            CgroupFiles.field(times, "nr_throttled"),
            CgroupFiles.field(times, "throttled_usec") * NANOS_OF_A_MICRO,
            shares(CgroupFiles.number(at.resolve("cpu.weight"))),
            CgroupFiles.parsedLimit(limit[0]),
            CgroupFiles.parsedLimit(limit[limit.length - 1]).orElse(0)),
        new GroupDetails.Memory(
            CgroupFiles.field(statistics, "file"),
            CgroupFiles.field(statistics, "file_mapped"),
            CgroupFiles.field(statistics, "active_file"),
            CgroupFiles.field(statistics, "inactive_file"),
            CgroupFiles.number(at.resolve("memory.peak")),
            CgroupFiles.field(at.resolve("memory.events"), "max")),
        CgroupFiles.read(at.resolve("io.stat")).stream()
            .flatMap(String::lines)
            .map(CgroupsV2::disk)
            .toList());
  }

  /** Of a line such as {@code 8:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0}. */
  private static GroupDetails.Disk disk(String line) {
    String fields = line.replace('=', ' ').replace(" ", "\n").replaceAll("(?m)^([a-z]+)\n", "$1 ");
    return new GroupDetails.Disk(
        line.substring(0, Math.max(0, line.indexOf(' '))),
        CgroupFiles.field(fields, "rbytes"),
        CgroupFiles.field(fields, "wbytes"),
        CgroupFiles.field(fields, "rios"),
        CgroupFiles.field(fields, "wios"));
  }

  @Override
  public OptionalLong threadLimit(String group) {
    return CgroupFiles.limit(CgroupFiles.group(root, group).resolve("pids.max"));
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
