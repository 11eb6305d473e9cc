package dev.berth.bench.firstminute;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;

/** The second start of an empty store, and what it holds when nobody asks anything. */
final class Starts {
  private static final int EACH = 3;

  private Starts() {}

  static void measure(Launch launch, Rounds figures) throws Exception {
    launch.start("--no-node").close();
    for (int i = 0; i < EACH; i++) {
      try (Berth berth = launch.start("--no-node")) {
        new Control(berth).get("/api/v1/nodes");
        figures.add(
            new Figure("second start to ready", "ms", 600, Better.LOWER),
            (double) berth.startMillis());
        figures.add(Figure.forComparison("  processor time", "ms"), berth.cpuMicros() / 1e3);
        figures.add(
            new Figure("  resident memory", "MB", 110, Better.LOWER), berth.residentMegabytes());
      }
    }
  }
}
