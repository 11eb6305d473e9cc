package dev.berth.agent.machine;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.machine.MachineInfo.Identity;
import dev.berth.agent.machine.MachineInfo.NumaNode;
import dev.berth.agent.runtime.PodUsage.Interface;
import dev.berth.agent.runtime.PodUsage.Traffic;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads what the kernel says of a machine. What it does not say is empty or zero. All methods read
 * small files of the kernel's, so they block, but not for long.
 */
public final class MachineReader {
  /** The kernel counts in hundredths of a second, whatever it works with itself. */
  static final long NANOS_OF_A_TICK = 10_000_000;

  private static final long KIBIBYTE = 1024;

  private final MachineRoots roots;
  private final String architecture;

  /**
   * @param architecture in Java's words, such as {@code x86_64}
   */
  public MachineReader(MachineRoots roots, String architecture) {
    this.roots = roots;
    this.architecture = architecture;
  }

  /** The machine that this runs on. */
  public static MachineReader ofThisMachine() {
    return new MachineReader(MachineRoots.REAL, System.getProperty("os.arch", ""));
  }

  /** What it is. */
  public MachineInfo info() {
    Map<String, Long> memory = meminfo();
    return new MachineInfo(
        cpus(),
        memory.getOrDefault("MemTotal", 0L),
        memory.getOrDefault("SwapTotal", 0L),
        hugePages(),
        numaNodes(),
        identity(),
        MachineRoots.text(roots.proc().resolve("sys/kernel/osrelease")),
        osImage(),
        goArchitecture());
  }

  /** Whether it has cgroups of version 2 alone. */
  public boolean hasCgroupsOfVersion2() {
    return Cgroups.isVersion2(roots.sys());
  }

  /** How its processors and its memory are put together. */
  public MachineTopology topology() {
    return new MachineTopologyReader(roots, info()).read();
  }

  /** Whether it has somewhere to swap to. */
  public boolean isSwapOn() {
    // The first line is the header.
    return MachineRoots.lines(roots.proc().resolve("swaps")).size() > 1;
  }

  /** How much there is to swap to, and how much of that is free. */
  public Available swap() {
    Map<String, Long> memory = meminfo();
    return new Available(memory.getOrDefault("SwapTotal", 0L), memory.getOrDefault("SwapFree", 0L));
  }

  /**
   * How much memory there is, and how much can be had without pushing anything out that is in use:
   * what is free, and pages of files that were not read lately. That is what evictions go by.
   */
  public Available memory() {
    Map<String, Long> memory = meminfo();
    return new Available(
        memory.getOrDefault("MemTotal", 0L),
        memory.getOrDefault("MemFree", 0L) + memory.getOrDefault("Inactive(file)", 0L));
  }

  /** How many processes and threads there may be, and how many more that is than there are. */
  public Available processes() {
    Path kernel = roots.proc().resolve("sys/kernel");
    long most =
        Math.min(
            MachineRoots.number(kernel.resolve("pid_max")).orElse(Long.MAX_VALUE),
            MachineRoots.number(kernel.resolve("threads-max")).orElse(Long.MAX_VALUE));
    long running = runningProcesses();
    return most == Long.MAX_VALUE ? new Available(0, 0) : new Available(most, most - running);
  }

  /** The processor time that all processes have taken together since the machine was started. */
  public long cpuNanos() {
    String[] fields = stat("cpu ").split(" +", -1);
    long ticks = 0;
    // Those who wait for nothing, and for disks, are the fourth and the fifth.
    for (int i = 0; i < Math.min(fields.length, 8); i++) {
      if (i != 3 && i != 4) {
        ticks += MachineRoots.number(fields[i]).orElse(0);
      }
    }
    return ticks * NANOS_OF_A_TICK;
  }

  /** When the machine was started. */
  public Instant bootTime() {
    return Instant.ofEpochSecond(MachineRoots.number(stat("btime ")).orElse(0));
  }

  private String stat(String name) {
    return MachineRoots.lines(roots.proc().resolve("stat")).stream()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> line.substring(name.length()).strip())
        .orElse("");
  }

  /** What went through its network devices, but for the one that leads to itself. */
  public List<Interface> interfaces() {
    List<Interface> interfaces = new ArrayList<>();
    for (String line : MachineRoots.lines(roots.proc().resolve("net/dev"))) {
      int colon = line.indexOf(':');
      String[] fields = line.substring(colon + 1).strip().split(" +", -1);
      String name = colon > 0 ? line.substring(0, colon).strip() : "";
      if (colon > 0 && fields.length > 11 && !name.equals("lo")) {
        interfaces.add(new Interface(name, traffic(fields, 0), traffic(fields, 8)));
      }
    }
    return interfaces;
  }

  private static Traffic traffic(String[] fields, int from) {
    return new Traffic(
        MachineRoots.number(fields[from]).orElse(0),
        MachineRoots.number(fields[from + 1]).orElse(0),
        MachineRoots.number(fields[from + 2]).orElse(0),
        MachineRoots.number(fields[from + 3]).orElse(0));
  }

  /** How its memory is used, beyond how much of it is available. */
  public MemoryUse memoryUse() {
    Map<String, Long> memory = meminfo();
    Path counters = roots.proc().resolve("vmstat");
    return new MemoryUse(
        memory.getOrDefault("MemTotal", 0L) - memory.getOrDefault("MemFree", 0L),
        memory.getOrDefault("AnonPages", 0L),
        counter(counters, "pgfault"),
        counter(counters, "pgmajfault"));
  }

  private static long counter(Path file, String name) {
    return MachineRoots.lines(file).stream()
        .filter(line -> line.startsWith(name + " "))
        .findFirst()
        .map(line -> MachineRoots.number(line.substring(name.length())).orElse(0))
        .orElse(0L);
  }

  /**
   * How memory is used.
   *
   * @param used also for what files were read lately or long ago
   * @param anonymous of processes, and of no file
   * @param pageFaults since the machine was started
   */
  public record MemoryUse(long used, long anonymous, long pageFaults, long majorPageFaults) {}

  /**
   * How much its processes have to wait for something, in the kernel's words; empty if it does not
   * count that.
   *
   * @param resource {@code cpu}, {@code memory} or {@code io}
   */
  public String pressure(String resource) {
    return MachineRoots.text(roots.proc().resolve("pressure").resolve(resource));
  }

  /** What this process uses. */
  public OwnProcess ownProcess() {
    return OwnProcess.read(roots.proc().resolve("self"));
  }

  /**
   * An amount of which some is left.
   *
   * @param capacity 0 if it is not known
   */
  public record Available(long capacity, long available) {}

  /** The fourth field of loadavg: {@code runnable/existing}. */
  private long runningProcesses() {
    String[] fields = MachineRoots.text(roots.proc().resolve("loadavg")).split(" ", -1);
    if (fields.length < 4) {
      return 0;
    }
    return MachineRoots.number(fields[3].substring(fields[3].indexOf('/') + 1)).orElse(0);
  }

  private Map<String, Long> meminfo() {
    Map<String, Long> amounts = new HashMap<>();
    for (String line : MachineRoots.lines(roots.proc().resolve("meminfo"))) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.endsWith(" kB")) {
        String kilobytes = line.substring(colon + 1, line.length() - " kB".length());
        MachineRoots.number(kilobytes)
            .ifPresent(amount -> amounts.put(line.substring(0, colon), amount * KIBIBYTE));
      }
    }
    return amounts;
  }

  private int cpus() {
    List<Integer> online =
        CpuList.parse(MachineRoots.text(roots.sys().resolve("devices/system/cpu/online")));
    if (!online.isEmpty()) {
      return online.size();
    }
    return (int)
        MachineRoots.lines(roots.proc().resolve("cpuinfo")).stream()
            .filter(line -> line.startsWith("processor"))
            .count();
  }

  private SortedMap<Long, Long> hugePages() {
    SortedMap<Long, Long> bytes = new TreeMap<>();
    for (Path folder :
        MachineRoots.children(roots.sys().resolve("kernel/mm/hugepages"), "hugepages-*kB")) {
      String name = folder.getFileName().toString();
      OptionalLong size =
          MachineRoots.number(name.substring("hugepages-".length(), name.length() - "kB".length()));
      OptionalLong pages = MachineRoots.number(folder.resolve("nr_hugepages"));
      if (size.isPresent() && pages.isPresent()) {
        long page = size.getAsLong() * KIBIBYTE;
        bytes.put(page, page * pages.getAsLong());
      }
    }
    return bytes;
  }

  private List<NumaNode> numaNodes() {
    List<NumaNode> nodes = new ArrayList<>();
    for (Path folder :
        MachineRoots.children(roots.sys().resolve("devices/system/node"), "node[0-9]*")) {
      OptionalLong number =
          MachineRoots.number(folder.getFileName().toString().substring("node".length()));
      if (number.isPresent()) {
        nodes.add(
            new NumaNode(
                (int) number.getAsLong(),
                CpuList.parse(MachineRoots.text(folder.resolve("cpulist"))),
                numaMemory(folder.resolve("meminfo"))));
      }
    }
    nodes.sort(Comparator.comparingInt(NumaNode::number));
    return nodes;
  }

  /** {@code Node 0 MemTotal: 8052816 kB}. */
  private static long numaMemory(Path file) {
    for (String line : MachineRoots.lines(file)) {
      int at = line.indexOf("MemTotal:");
      if (at >= 0 && line.endsWith(" kB")) {
        String kilobytes =
            line.substring(at + "MemTotal:".length(), line.length() - " kB".length());
        return MachineRoots.number(kilobytes).orElse(0) * KIBIBYTE;
      }
    }
    return 0;
  }

  private Identity identity() {
    String machineId = MachineRoots.text(roots.etc().resolve("machine-id"));
    String uuid = MachineRoots.text(roots.sys().resolve("class/dmi/id/product_uuid"));
    return new Identity(
        machineId,
        uuid.isEmpty() ? machineId : uuid,
        MachineRoots.text(roots.proc().resolve("sys/kernel/random/boot_id")));
  }

  private String osImage() {
    for (String line : MachineRoots.lines(roots.etc().resolve("os-release"))) {
      if (line.startsWith("PRETTY_NAME=")) {
        return line.substring("PRETTY_NAME=".length()).replace("\"", "").strip();
      }
    }
    return "Unknown";
  }

  private String goArchitecture() {
    return switch (architecture) {
      case "x86_64", "amd64" -> "amd64";
      case "aarch64" -> "arm64";
      case "i386", "i686", "x86" -> "386";
      default -> architecture;
    };
  }
}
