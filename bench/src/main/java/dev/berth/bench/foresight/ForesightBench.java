package dev.berth.bench.foresight;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.sim.snapshot.SnapshotFile;
import dev.berth.sim.snapshot.SnapshotReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a user waits for: {@code berth explain pod} and {@code berth forecast lose zone}, each in a
 * process of its own, on saved clusters of 5,000 nodes.
 */
public final class ForesightBench {
  private static final int NODES = 5_000;
  private static final int PODS = 50_000;
  private static final int FEWER_PODS = 10_000;
  private static final int RUNS = 5;

  private ForesightBench() {}

  public static void main(String... arguments) throws Exception {
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      Path few = save(folder, FEWER_PODS);
      Path many = save(folder, PODS);
      new Figure("explain a pending pod, 5,000 nodes, 10,000 pods", "s", 2, Better.LOWER)
          .print(seconds(few, folder, "explain", "pod", LargeCluster.PICKY));
      Figure.forComparison("  the same with 50,000 pods", "s")
          .print(seconds(many, folder, "explain", "pod", LargeCluster.PICKY));
      new Figure("forecast the loss of a zone, 50,000 pods", "s", 5, Better.LOWER)
          .print(seconds(many, folder, "forecast", "lose", "zone", "a"));
    } finally {
      Folders.delete(folder);
    }
  }

  private static Path save(Path folder, int pods) throws IOException {
    Path snapshot = folder.resolve("snapshot-" + pods);
    try (OutputStream file = Files.newOutputStream(snapshot)) {
      SnapshotFile.write(
          SnapshotReader.read(new LargeCluster(NODES, pods), Instant.parse("2026-01-01T01:00:00Z")),
          file);
    }
    return snapshot;
  }

  private static double[] seconds(Path snapshot, Path folder, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Berth.ROOT.resolve("berth").toString()));
    command.addAll(List.of(words));
    command.addAll(List.of("--snapshot", snapshot.toString()));
    double[] seconds = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      long began = System.nanoTime();
      int status =
          new ProcessBuilder(command)
              .redirectOutput(folder.resolve("out").toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start()
              .waitFor();
      seconds[i] = (System.nanoTime() - began) / 1e9;
      if (status != 0) {
        throw new IOException(command + " ended with status " + status);
      }
    }
    return seconds;
  }
}
