package dev.berth.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.machine.MachineInfo.NumaNode;
import dev.berth.agent.runtime.PodUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineReaderTest {
  private static final long KIB = 1024;

  @TempDir Path folder;

  @Test
  void readsWhatTheKernelSays() {
    MachineInfo info = new MachineFixture(folder).reader().info();
    assertThat(info.cpus()).isEqualTo(2);
    assertThat(info.memoryBytes()).isEqualTo(8_052_816 * KIB);
    assertThat(info.swapBytes()).isEqualTo(524_288 * KIB);
    assertThat(info.hugePages())
        .containsExactly(Map.entry(2048 * KIB, 16 * 2048 * KIB), Map.entry(1_048_576 * KIB, 0L));
    assertThat(info.numaNodes()).containsExactly(new NumaNode(0, List.of(0, 1), 8_052_816 * KIB));
    assertThat(info.kernelVersion()).isEqualTo("6.18.0");
    assertThat(info.osImage()).isEqualTo("Debian GNU/Linux 12 (bookworm)");
    assertThat(info.architecture()).isEqualTo("amd64");
  }

  @Test
  void hardwareWithoutAnIdentityIsKnownByItsInstallation() {
    MachineFixture machine = new MachineFixture(folder);
    String id = "3d1219c7c4c5404aaa1f6d2a48adfda4";
    assertThat(machine.reader().info().identity())
        .isEqualTo(new MachineInfo.Identity(id, id, "boot-1"));
    machine.sys("class/dmi/id/product_uuid", "4c4c4544");
    assertThat(machine.reader().info().identity())
        .isEqualTo(new MachineInfo.Identity(id, "4c4c4544", "boot-1"));
  }

  @Test
  void availableMemoryIsWhatIsFreeAndWhatFilesNoLongerNeed() {
    assertThat(new MachineFixture(folder).memory(1000, 300, 200).reader().memory())
        .isEqualTo(new MachineReader.Available(1000 * KIB, 500 * KIB));
  }

  @Test
  void readsWhatWentThroughItsDevices() {
    assertThat(
            new MachineFixture(folder)
                .proc(
                    "net/dev",
                    """
                    Inter-|   Receive                                                |  Transmit
                     face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
                        lo:     100       1    0    0    0     0          0         0      100       1    0    0    0     0       0          0
                      eth0:    2000       9    3    0    0     0          0         0     4000       8    5    0    0     0       0          0
                    """)
                .reader()
                .interfaces())
        .containsExactly(
            new PodUsage.Interface(
                "eth0", new PodUsage.Traffic(2000, 9, 3, 0), new PodUsage.Traffic(4000, 8, 5, 0)));
  }

  @Test
  void readsHowItsMemoryIsUsed() {
    assertThat(
            new MachineFixture(folder)
                .memory(1000, 300, 200)
                .proc("vmstat", "nr_free_pages 7\npgfault 900\npgmajfault 40\n")
                .reader()
                .memoryUse())
        .isEqualTo(new MachineReader.MemoryUse(700 * KIB, 0, 900, 40));
  }

  @Test
  void readsWhatThisProcessUses() {
    assertThat(
            new MachineFixture(folder)
                .proc(
                    "self/stat",
                    "12 (a ) name) S 1 12 12 0 -1 4194560 500 0 20 0 300 50 0 0 20 0 9 0 77 0 0\n")
                .proc(
                    "self/status",
                    """
                    Name:\tjava
                    VmRSS:\t  1000 kB
                    RssAnon:\t 600 kB
                    VmSwap:\t 8 kB
                    Threads:\t9
                    """)
                .reader()
                .ownProcess())
        .isEqualTo(new OwnProcess(3_500_000_000L, 1000 * KIB, 600 * KIB, 8 * KIB, 9, 520, 20));
  }

  @Test
  void thereAreAsManyProcessesAsTheStricterLimitAllows() {
    MachineFixture machine = new MachineFixture(folder);
    assertThat(machine.reader().processes())
        .isEqualTo(new MachineReader.Available(32_768, 32_768 - 163));
    machine.proc("sys/kernel/threads-max", "200");
    assertThat(machine.reader().processes()).isEqualTo(new MachineReader.Available(200, 37));
  }

  /** The kernel gives the first read of a number what fits into it, and nothing to the next. */
  @Test
  void numbersOfTheKernelAreReadWhole() throws IOException {
    assertThat(MachineReader.ofThisMachine().processes().capacity())
        .isEqualTo(Math.min(kernelNumber("pid_max"), kernelNumber("threads-max")));
  }

  private static long kernelNumber(String name) throws IOException {
    Process cat = new ProcessBuilder("cat", "/proc/sys/kernel/" + name).start();
    return Long.parseLong(cat.inputReader().readLine());
  }

  @Test
  void whatTheKernelDoesNotSayIsNothing() {
    MachineReader empty = new MachineReader(new MachineRoots(folder, folder, folder), "riscv64");
    assertThat(empty.info().cpus()).isZero();
    assertThat(empty.info().osImage()).isEqualTo("Unknown");
    assertThat(empty.info().architecture()).isEqualTo("riscv64");
    assertThat(empty.processes()).isEqualTo(new MachineReader.Available(0, 0));
  }

  @Test
  void thisMachineCanBeRead() {
    MachineInfo info = MachineReader.ofThisMachine().info();
    assertThat(info.cpus()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(info.memoryBytes()).isGreaterThan(1 << 20);
    assertThat(info.identity().bootId()).isNotEmpty();
  }
}
