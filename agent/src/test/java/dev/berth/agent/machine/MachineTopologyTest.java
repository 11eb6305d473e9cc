package dev.berth.agent.machine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cpumanager.CpuTopology.Cpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTopologyTest {
  @TempDir private Path root;

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private void cpu(int number, int socket, String siblings, String cache) throws IOException {
    String folder = "sys/devices/system/cpu/cpu" + number;
    write(folder + "/topology/physical_package_id", "" + socket);
    write(folder + "/topology/thread_siblings_list", siblings);
    write(folder + "/cache/index0/level", "1");
    write(folder + "/cache/index3/level", "3");
    write(folder + "/cache/index3/id", cache);
  }

  private MachineTopology read() {
    return new MachineReader(
            new MachineRoots(root.resolve("proc"), root.resolve("sys"), root.resolve("etc")),
            "x86_64")
        .topology();
  }

  @Test
  void nodesCoresSocketsCachesAndPagesAreRead() throws IOException {
    write("sys/devices/system/cpu/online", "0-5");
    for (int node = 0; node < 2; node++) {
      String folder = "sys/devices/system/node/node" + node;
      write(folder + "/cpulist", node == 0 ? "0-1,4-5" : "2-3,6-7");
      write(folder + "/distance", node == 0 ? "10 21" : "21 10");
      write(folder + "/meminfo", "Node %d MemTotal:       1048576 kB".formatted(node));
      write(folder + "/hugepages/hugepages-2048kB/nr_hugepages", "" + 16 * node);
    }
    for (int cpu = 0; cpu < 8; cpu++) {
      int core = cpu % 4;
      cpu(cpu, core / 2, core + "," + (core + 4), "" + core / 2);
    }
    MachineTopology machine = read();
    assertThat(machine.cpus().all()).hasToString("0-5");
    assertThat(machine.cpus().cpus().get(5)).isEqualTo(new Cpu(0, 0, 1, 0));
    assertThat(machine.cpus().cpus().get(3)).isEqualTo(new Cpu(1, 1, 3, 1));
    assertThat(machine.numaNodes().distances().get(1)).containsExactly(21, 10);
    assertThat(requireNonNull(machine.memory().get(1)).bytes()).isEqualTo(1L << 30);
    assertThat(requireNonNull(machine.memory().get(1)).hugePages())
        .containsEntry("hugepages-2Mi", 32L << 20);
  }

  @Test
  void aMachineThatDoesNotSayHasOneNode() throws IOException {
    write("sys/devices/system/cpu/online", "0-3");
    write("proc/meminfo", "MemTotal:        2097152 kB");
    MachineTopology machine = read();
    assertThat(machine.numaNodes().numbers()).containsExactly(0);
    assertThat(machine.cpus().all()).hasToString("0-3");
    assertThat(requireNonNull(machine.memory().get(0)).bytes()).isEqualTo(2L << 30);
  }

  @Test
  void thisMachineHasAllItsProcessors() {
    assertThat(MachineReader.ofThisMachine().topology().cpus().cpus())
        .hasSameSizeAs(new Object[MachineReader.ofThisMachine().info().cpus()]);
  }
}
