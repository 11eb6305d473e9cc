package dev.berth.agent.cgroup;

import dev.berth.agent.nativecalls.Signals;
import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.GroupDetails;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.PodUsage.MemoryDetails;
import dev.berth.agent.runtime.PodUsage.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Version 1: a tree for each controller, and on hybrid machines one of version 2 without
 * controllers, which is used to kill.
 */
final class CgroupsV1 implements Cgroups {
  /** The tree of version 2 that hybrid machines have beside the others. */
  private static final String UNIFIED = "unified";

  private static final int SIGKILL = 9;

  /** The kernel counts processor time in hundredths of a second where it tells users apart. */
  private static final long NANOS_OF_A_TICK = 10_000_000;

  /** Freezing, killing and thawing once is enough, unless the kernel is late to freeze. */
  private static final int ROUNDS = 100;

  /** The trees in which only some groups are. */
  private static final List<String> SOMETIMES = List.of("cpuset", "devices");

  private final Path root;
  private final List<Path> trees = new ArrayList<>();

  CgroupsV1(Path root) {
    this.root = root;
    Set<Path> distinct = new LinkedHashSet<>();
    try {
      for (String tree :
          List.of("memory", "pids", "cpu", "cpuacct", "freezer", "hugetlb", UNIFIED)) {
        if (Files.isDirectory(root.resolve(tree))) {
          // cpu and cpuacct may be two names of one tree.
          distinct.add(root.resolve(tree).toRealPath());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    trees.addAll(distinct);
  }

  private Path of(String tree, String group) {
    return CgroupFiles.group(root.resolve(tree), group);
  }

  @Override
  public Optional<List<String>> controllers() {
    return trees.isEmpty()
        ? Optional.empty()
        : Optional.of(
            USUAL_CONTROLLERS.stream()
                .filter(each -> Files.isDirectory(root.resolve(each)))
                .toList());
  }

  @Override
  public void create(String group) throws IOException {
    for (Path tree : trees) {
      Files.createDirectories(CgroupFiles.group(tree, group));
    }
  }

  @Override
  public void limit(String group, Limits limits) throws IOException {
    Path cpu = of("cpu", group);
    CgroupFiles.writeIfExists(cpu.resolve("cpu.shares"), "" + Math.max(2, limits.cpuShares()));
    limitTime(cpu, limits.cpuQuota());
    CgroupFiles.writeIfExists(
        of("pids", group).resolve("pids.max"), CgroupFiles.orMax(limits.pids()));
    limitMemory(of("memory", group), limits);
    CgroupFiles.limitHugePages(of("hugetlb", group), ".limit_in_bytes", limits.hugePages());
    limitSets(group, limits);
  }

  @Override
  public void weigh(String group, long shares) throws IOException {
    CgroupFiles.writeIfExists(of("cpu", group).resolve("cpu.shares"), "" + shares);
  }

  @Override
  public long weightsIn(String group) throws IOException {
    return CgroupFiles.children(of("cpu", group)).stream()
        .mapToLong(each -> CgroupFiles.number(each.resolve("cpu.shares")))
        .sum();
  }

  @Override
  public void bound(String group, long memoryBytes, OptionalLong processes) throws IOException {
    CgroupFiles.writeIfExists(
        of("memory", group).resolve("memory.limit_in_bytes"), "" + memoryBytes);
    CgroupFiles.writeIfExists(of("pids", group).resolve("pids.max"), CgroupFiles.orMax(processes));
  }

  /** With its old quota in a new period, a group could have more than the one above it may. */
  private static void limitTime(Path cpu, Optional<CpuQuota> quota) throws IOException {
    Path period = cpu.resolve("cpu.cfs_period_us");
    Path time = cpu.resolve("cpu.cfs_quota_us");
    if (quota.isEmpty() || CgroupFiles.number(period) != quota.get().periodMicros()) {
      CgroupFiles.writeIfExists(time, "-1");
    }
    if (quota.isPresent()) {
      CgroupFiles.writeIfExists(period, "" + quota.get().periodMicros());
      CgroupFiles.writeIfExists(time, "" + quota.get().micros());
    }
  }

  /** The limit with swap must never be below the one without, not even between two writes. */
  private static void limitMemory(Path memory, Limits limits) throws IOException {
    Path plain = memory.resolve("memory.limit_in_bytes");
    Path withSwap = memory.resolve("memory.memsw.limit_in_bytes");
    OptionalLong bytes = limits.memoryBytes();
    long memoryLimit = bytes.orElse(-1);
    long swapLimit =
        bytes.isPresent() && limits.swapBytes().isPresent()
            ? memoryLimit + limits.swapBytes().getAsLong()
            : -1;
    CgroupFiles.writeIfExists(
        memory.resolve("memory.swappiness"), limits.isSwappable() ? usualSwappiness(memory) : "0");
    long current = CgroupFiles.number(plain);
    if (memoryLimit < 0 || memoryLimit > current) {
      CgroupFiles.writeIfExists(withSwap, "" + swapLimit);
      CgroupFiles.writeIfExists(plain, "" + memoryLimit);
    } else {
      CgroupFiles.writeIfExists(plain, "" + memoryLimit);
      CgroupFiles.writeIfExists(withSwap, "" + swapLimit);
    }
  }

  /** A new group has what the one above it has. */
  private static String usualSwappiness(Path memory) {
    return CgroupFiles.read(memory.resolveSibling("memory.swappiness")).orElse("60");
  }

  /**
   * In the tree of processors and NUMA nodes a group has none until it is given some, at each
   * level. All groups are in it, since some programs (Java) look at no limit unless they find it.
   * Processes that an older agent started without it are moved.
   */
  private void limitSets(String group, Limits limits) throws IOException {
    Path tree = root.resolve("cpuset");
    Path last = CgroupFiles.group(tree, group);
    boolean isThere = Files.isDirectory(last);
    if (!Files.isDirectory(tree)) {
      return;
    }
    Path at = tree;
    for (Path name : Path.of(group)) {
      Path child = at.resolve(name);
      Files.createDirectories(child);
      for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
        if (CgroupFiles.read(child.resolve(file)).orElse("").isEmpty()) {
          CgroupFiles.write(child.resolve(file), CgroupFiles.read(at.resolve(file)).orElse("0"));
        }
      }
      at = child;
    }
    writeSet(at, "cpuset.mems", limits.mems());
    writeSet(at, "cpuset.cpus", limits.cpus());
    if (!isThere) {
      for (long process : processes(group)) {
        moveInto(at.resolve("cgroup.procs"), process);
      }
    }
  }

  private static void writeSet(Path group, String file, String list) throws IOException {
    Optional<String> all = CgroupFiles.read(group.resolveSibling(file));
    CgroupFiles.write(group.resolve(file), list.isEmpty() ? all.orElse("0") : list);
  }

  private static void moveInto(Path file, long process) throws IOException {
    try {
      CgroupFiles.write(file, "" + process);
    } catch (IOException e) {
      if (Files.exists(Path.of("/proc/" + process))) {
        throw e;
      }
    }
  }

  /** The tree of devices is used for groups that are denied some, alone. */
  @Override
  public void denyDevices(String group, List<String> rules) throws IOException {
    if (!rules.isEmpty() && Files.isDirectory(root.resolve("devices"))) {
      Path last = of("devices", group);
      Files.createDirectories(last);
      for (String rule : rules) {
        CgroupFiles.write(last.resolve("devices.deny"), rule);
      }
    }
  }

  @Override
  public List<Path> joinFiles(String group) {
    List<Path> files = new ArrayList<>();
    for (Path tree : trees) {
      files.add(CgroupFiles.group(tree, group).resolve("cgroup.procs"));
    }
    for (String tree : SOMETIMES) {
      Path optional = of(tree, group);
      if (Files.isDirectory(optional)) {
        files.add(optional.resolve("cgroup.procs"));
      }
    }
    return files;
  }

  @Override
  public Map<String, Path> directories(String group) {
    Map<String, Path> directories = new TreeMap<>();
    // Other names of a tree are links. Programs that find a tree of version 2 look for limits
    // there.
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(
            root,
            each ->
                Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS) && !each.endsWith(UNIFIED))) {
      for (Path tree : all) {
        Path directory = CgroupFiles.group(tree, group);
        if (Files.isDirectory(directory)) {
          directories.put(tree.getFileName().toString(), directory);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directories;
  }

  @Override
  public List<Long> processes(String group) throws IOException {
    return trees.isEmpty()
        ? List.of()
        : CgroupFiles.processes(CgroupFiles.group(trees.getFirst(), group));
  }

  @Override
  public void kill(String group) throws IOException {
    Path kill = of(UNIFIED, group).resolve("cgroup.kill");
    if (Files.exists(kill)) {
      CgroupFiles.kill(kill);
    } else {
      killFrozen(of("freezer", group));
    }
  }

  /** What is frozen cannot start others while it is killed. */
  void killFrozen(Path group) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      List<Long> processes = CgroupFiles.processes(group);
      if (processes.isEmpty()) {
        return;
      }
      CgroupFiles.write(group.resolve("freezer.state"), "FROZEN");
      for (long process : CgroupFiles.processes(group)) {
        Signals.send(process, SIGKILL);
      }
      CgroupFiles.write(group.resolve("freezer.state"), "THAWED");
    }
  }

  @Override
  public Usage usage(String group) {
    Path memory = of("memory", group);
    long used = CgroupFiles.number(memory.resolve("memory.usage_in_bytes"));
    // Counted at once, unlike the statistics, which the kernel brings up to date now and then.
    long withSwap = CgroupFiles.number(memory.resolve("memory.memsw.usage_in_bytes"));
    String statistics = CgroupFiles.read(memory.resolve("memory.stat")).orElse("");
    long inactive = CgroupFiles.field(statistics, "total_inactive_file");
    OptionalLong limit = CgroupFiles.limit(memory.resolve("memory.limit_in_bytes"));
    return new Usage(
        CgroupFiles.number(of("cpuacct", group).resolve("cpuacct.usage")),
        used,
        Math.max(0, used - inactive),
        CgroupFiles.field(statistics, "total_rss"),
        CgroupFiles.number(of("pids", group).resolve("pids.current")),
        Math.max(0, withSwap - used),
        new MemoryDetails(
            CgroupFiles.field(statistics, "total_pgfault"),
            CgroupFiles.field(statistics, "total_pgmajfault"),
            limit,
            swapLimit(memory, limit)),
        CgroupFiles.pressures(of(UNIFIED, group)));
  }

  /** What may be used with swap has a limit, what may be swapped out has none of its own. */
  private static OptionalLong swapLimit(Path memory, OptionalLong limit) {
    OptionalLong withSwap = CgroupFiles.limit(memory.resolve("memory.memsw.limit_in_bytes"));
    return limit.isPresent() && withSwap.isPresent()
        ? OptionalLong.of(Math.max(0, withSwap.getAsLong() - limit.getAsLong()))
        : OptionalLong.empty();
  }

  @Override
  public GroupDetails details(String group) {
    Path cpu = of("cpu", group);
    String times = CgroupFiles.read(of("cpuacct", group).resolve("cpuacct.stat")).orElse("");
    String throttling = CgroupFiles.read(cpu.resolve("cpu.stat")).orElse("");
    long quota = CgroupFiles.number(cpu.resolve("cpu.cfs_quota_us"));
    Path memory = of("memory", group);
    String statistics = CgroupFiles.read(memory.resolve("memory.stat")).orElse("");
    return new GroupDetails(
        new GroupDetails.Cpu(
            CgroupFiles.field(times, "user") * NANOS_OF_A_TICK,
            CgroupFiles.field(times, "system") * NANOS_OF_A_TICK,
            CgroupFiles.field(throttling, "nr_periods"),
            CgroupFiles.field(throttling, "nr_throttled"),
            CgroupFiles.field(throttling, "throttled_time"),
            CgroupFiles.number(cpu.resolve("cpu.shares")),
            quota > 0 ? OptionalLong.of(quota) : OptionalLong.empty(),
            CgroupFiles.number(cpu.resolve("cpu.cfs_period_us"))),
        new GroupDetails.Memory(
            CgroupFiles.field(statistics, "total_cache"),
            CgroupFiles.field(statistics, "total_mapped_file"),
            CgroupFiles.field(statistics, "total_active_file"),
            CgroupFiles.field(statistics, "total_inactive_file"),
            CgroupFiles.number(memory.resolve("memory.max_usage_in_bytes")),
            CgroupFiles.number(memory.resolve("memory.failcnt"))),
        List.of());
  }

  @Override
  public OptionalLong threadLimit(String group) {
    return CgroupFiles.limit(of("pids", group).resolve("pids.max"));
  }

  @Override
  public long outOfMemoryKills(String group) {
    return CgroupFiles.field(of("memory", group).resolve("memory.oom_control"), "oom_kill");
  }

  @Override
  public void remove(String group) throws IOException {
    for (Path tree : trees) {
      CgroupFiles.remove(CgroupFiles.group(tree, group));
    }
    // Other runtimes put containers into all there are.
    try (DirectoryStream<Path> all = Files.newDirectoryStream(root, Files::isDirectory)) {
      for (Path tree : all) {
        CgroupFiles.remove(CgroupFiles.group(tree, group));
      }
    }
  }
}
