package dev.berth.bench.etcd;

import dev.berth.bench.Folders;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Two servers on an etcd of three members, all over TLS: {@code bench/run etcd
 * [leases|delay|failover|start]...}. The script starts {@code examples/three-servers} before, and
 * this program on the network of its machines.
 */
public final class EtcdBench {
  private static final List<String> ALL = List.of("leases", "delay", "failover", "start");

  private EtcdBench() {}

  /** Arguments: the folder of the machines, and what is to be measured, if not everything. */
  public static void main(String... arguments) throws Exception {
    List<String> what = List.of(arguments).subList(1, arguments.length);
    System.out.printf(
        "load of the machine before: %.2f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    Path folder = Files.createTempDirectory("berth-bench");
    try (WallTime time = new WallTime(FatalError::end)) {
      Cluster cluster = new Cluster(Path.of(arguments[0]), time);
      for (String each : what.isEmpty() ? ALL : what) {
        switch (each) {
          case "leases" -> LeasePatches.measure(cluster, folder);
          case "delay" -> WatchDelay.measure(cluster);
          case "failover" -> Failover.measure(cluster);
          case "start" -> ServerStart.measure(cluster, folder);
          default -> throw new IllegalArgumentException("There is no measurement " + each + ".");
        }
      }
    } finally {
      Folders.delete(folder);
    }
  }
}
