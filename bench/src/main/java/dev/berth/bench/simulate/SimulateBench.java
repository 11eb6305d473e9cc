package dev.berth.bench.simulate;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.ControllerSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.sim.ComponentNetwork;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import dev.berth.sim.snapshot.SnapshotFile;
import dev.berth.sim.snapshot.SnapshotReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Simulations as a user types them, from the start of the process to its end, the report included:
 * {@code zone}, {@code day}, {@code rehearse}, or all of them.
 */
public final class SimulateBench {
  private static final int NODES = 5_000;
  private static final int WORKLOADS = 100;
  private static final int REPLICAS = 500;
  private static final int REPETITIONS = 3;
  private static final double MEGABYTE = 1e6;

  private final Path folder;

  private SimulateBench(Path folder) {
    this.folder = folder;
  }

  public static void main(String... arguments) throws Exception {
    String which = arguments.length == 0 ? "all" : arguments[0];
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      SimulateBench bench = new SimulateBench(folder);
      switch (which) {
        case "zone" -> bench.zone();
        case "day" -> bench.day();
        case "rehearse" -> bench.rehearse();
        case "all" -> {
          bench.zone();
          bench.day();
          bench.rehearse();
        }
        default ->
            throw new IllegalArgumentException(
                "Which one? zone, day, rehearse or all, not " + which + ".");
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private void zone() throws Exception {
    double[] seconds = new double[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
      seconds[i] = berth("simulate", Berth.ROOT.resolve("examples/zone-outage.yaml").toString());
    }
    new Figure("zone outage of 300 nodes", "s", 3, Better.LOWER).print(seconds);
  }

  private void day() throws Exception {
    StringBuilder yaml = new StringBuilder("duration: 24h\ncluster:\n");
    yaml.append("  nodes: [{name: node, count: ").append(NODES);
    yaml.append(", zones: [a, b, c], cpu: 16, memory: 64Gi}]\n  workloads:\n");
    for (int i = 0; i < WORKLOADS; i++) {
      yaml.append(
          "    - {name: web-%d, replicas: %d, requests: {cpu: 200m}}%n".formatted(i, REPLICAS));
    }
    yaml.append("timeline: [{at: 30m, every: 1h, kill: {count: 1, for: 30m}}]\n");
    Path scenario = Files.writeString(folder.resolve("day.yaml"), yaml);
    new Figure("24 h of 5,000 nodes and 50,000 pods", "s", 60, Better.LOWER)
        .print(berth("simulate", scenario.toString()));
    new Figure("  its report", "MB", 5, Better.LOWER)
        .print(Files.size(folder.resolve("report.html")) / MEGABYTE);
  }

  private void rehearse() throws Exception {
    Path snapshot = folder.resolve("snapshot.gz");
    takeSnapshot(snapshot);
    Figure.forComparison("  the snapshot", "MB").print(Files.size(snapshot) / MEGABYTE);
    Path scenario =
        Files.writeString(
            folder.resolve("outage.yaml"),
            "{duration: 30m, timeline: [{at: 5m, kill: {zone: a, for: 15m}}]}");
    new Figure("rehearsed outage of 5,000 nodes", "s", 60, Better.LOWER)
        .print(
            berth(
                "rehearse", "--snapshot", snapshot.toString(), "--scenario", scenario.toString()));
  }

  /** Of a cluster on virtual time that runs 50,000 pods. */
  private static void takeSnapshot(Path file) throws IOException {
    HollowSettings nodes = HollowSettings.of(NODES).zones("a", "b", "c").unsentHeartbeats();
    try (WholeCluster cluster =
            new WholeCluster(1, nodes, ControllerSettings.standard(), ComponentNetwork.DIRECT);
        OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < WORKLOADS; i++) {
        String deployment =
            """
            {'metadata':{'namespace':'default','name':'web-%1$d'},
             'spec':{'replicas':%2$d,'selector':{'matchLabels':{'app':'web-%1$d'}},
              'template':{'metadata':{'labels':{'app':'web-%1$d'}},
               'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'50m'}}}]}}}}
            """
                .formatted(i, REPLICAS);
        if (cluster.cluster().admin().create(Resources.DEPLOYMENTS, VirtualCluster.tree(deployment))
            instanceof ApiResult.Failure failure) {
          throw new IOException(failure.message());
        }
      }
      cluster.advance(Duration.ofMinutes(5));
      SnapshotFile.write(
          SnapshotReader.read(cluster.cluster().admin(), cluster.cluster().time().now()), out);
    }
  }

  /** Runs the program, and returns how many seconds that took. */
  private double berth(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Berth.ROOT.resolve("target/berth/bin/berth").toString());
    command.addAll(List.of(words));
    command.addAll(List.of("--report", folder.resolve("report.html").toString()));
    long began = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException("berth " + String.join(" ", words) + " ended with " + status);
    }
    return (System.nanoTime() - began) / 1e9;
  }
}
