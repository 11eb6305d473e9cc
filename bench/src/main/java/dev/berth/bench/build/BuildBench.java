package dev.berth.bench.build;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was committed, cloned and started; started again; and started again after a line of {@code
 * controllers} was changed. Maven's repository should hold what Berth is built with, or the first
 * figure is one of the network.
 */
public final class BuildBench {
  private static final int STARTS = 10;
  private static final int CHANGES = 3;

  private final Path clone;
  private final Path data;

  private BuildBench(Path folder) {
    this.clone = folder.resolve("clone");
    this.data = folder.resolve("data");
  }

  public static void main(String... arguments) throws Exception {
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      BuildBench bench = new BuildBench(folder);
      bench.fresh();
      bench.again();
      bench.changed();
    } finally {
      Folders.delete(folder);
    }
  }

  private double seconds() throws IOException {
    try (Berth berth = Berth.startClone(clone, data, List.of())) {
      return berth.startMillis() / 1e3;
    }
  }

  private void fresh() throws Exception {
    int status =
        new ProcessBuilder("git", "clone", "-q", Berth.ROOT.toString(), clone.toString())
            .inheritIO()
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException("git clone failed with status " + status);
    }
    new Figure("fresh clone to ready", "s", 150, Better.LOWER).print(seconds());
  }

  private void again() throws Exception {
    double[] millis = new double[STARTS];
    double[] resident = new double[STARTS];
    for (int i = 0; i < STARTS; i++) {
      try (Berth berth = Berth.startClone(clone, data, List.of())) {
        millis[i] = berth.startMillis();
        new Control(berth).get("/api/v1/nodes");
        resident[i] = berth.residentMegabytes();
      }
    }
    new Figure("second start to ready", "ms", 1_300, Better.LOWER).print(millis);
    new Figure("resident memory, idle", "MB", 150, Better.LOWER).print(resident);
  }

  private void changed() throws IOException {
    double[] seconds = new double[CHANGES];
    for (int i = 0; i < CHANGES; i++) {
      Files.writeString(source(), "// " + i + "\n", StandardOpenOption.APPEND);
      seconds[i] = seconds();
    }
    new Figure("changed line in controllers to ready", "s", 25, Better.LOWER).print(seconds);
    Figure.forComparison("  start to ready without AOT cache", "s").print(seconds());
  }

  private Path source() throws IOException {
    try (Stream<Path> files = Files.walk(clone.resolve("controllers/src/main"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .filter(file -> !file.endsWith("package-info.java"))
          .findFirst()
          .orElseThrow();
    }
  }
}
