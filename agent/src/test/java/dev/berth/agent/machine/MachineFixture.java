package dev.berth.agent.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A machine that consists of files: two processors, 8 GiB of memory, and two addresses. */
public final class MachineFixture {
  private final MachineRoots roots;
  private Map<String, List<InetAddress>> interfaces =
      Map.of(
          "lo", addresses("127.0.0.1", "::1"),
          "eth0", addresses("fe80::1", "192.0.2.2", "2001:db8::2"));

  public MachineFixture(Path folder) {
    roots = new MachineRoots(folder.resolve("proc"), folder.resolve("sys"), folder.resolve("etc"));
    memory(8_052_816, 4_000_000, 1_000_000);
    proc("loadavg", "0.10 0.20 0.30 2/163 8817");
    proc("sys/kernel/pid_max", "32768");
    proc("sys/kernel/threads-max", "62000");
    proc("sys/kernel/osrelease", "6.18.0");
    boot("boot-1");
    proc(
        "net/route",
        """
        Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
        eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0
        eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
        """);
    String zeros = "0".repeat(32);
    proc(
        "net/ipv6_route",
        "%s 00 %s 00 20010db8000000000000000000000001 00000400 00000003 00000000 00000003     eth0\n%s 00 %s 00 %s ffffffff 00000001 00000000 00200200       lo\n"
            .formatted(zeros, zeros, zeros, zeros, zeros));
    sys("devices/system/cpu/online", "0-1");
    sys("devices/system/node/node0/cpulist", "0-1");
    sys("devices/system/node/node0/meminfo", "Node 0 MemTotal:        8052816 kB\n");
    sys("kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "16");
    sys("kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0");
    etc("machine-id", "3d1219c7c4c5404aaa1f6d2a48adfda4");
    etc("os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  }

  public MachineReader reader() {
    return new MachineReader(roots, "x86_64");
  }

  public NetworkAddresses network() {
    return new NetworkAddresses(roots.proc(), () -> interfaces);
  }

  /** In kilobytes. */
  public MachineFixture memory(long total, long free, long inactiveFile) {
    return proc(
        "meminfo",
        """
        MemTotal:        %d kB
        MemFree:         %d kB
        Inactive(file):  %d kB
        SwapTotal:       524288 kB
        HugePages_Total:      16
        """
            .formatted(total, free, inactiveFile));
  }

  public MachineFixture boot(String id) {
    return proc("sys/kernel/random/boot_id", id);
  }

  public MachineFixture machineId(String id) {
    return etc("machine-id", id);
  }

  public MachineFixture interfaces(Map<String, List<InetAddress>> changed) {
    interfaces = changed;
    return this;
  }

  public MachineFixture proc(String file, String text) {
    return write(roots.proc(), file, text);
  }

  public MachineFixture sys(String file, String text) {
    return write(roots.sys(), file, text);
  }

  public MachineFixture etc(String file, String text) {
    return write(roots.etc(), file, text);
  }

  private MachineFixture write(Path root, String file, String text) {
    try {
      Path path = root.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, text.endsWith("\n") ? text : text + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<InetAddress> addresses(String... texts) {
    return Arrays.stream(texts).map(InetAddress::ofLiteral).toList();
  }
}
