package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Console;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.Spans;
import java.time.Duration;

/** A line on the terminal that says how far a simulation is; nothing where there is no terminal. */
final class SimulateProgress {
  private static final int WHOLE = 100;

  private final TerminalLine line;
  private long shown = -1;

  private SimulateProgress(TerminalLine line) {
    this.line = line;
  }

  static SimulateProgress on(Console console) {
    return new SimulateProgress(TerminalLine.on(console));
  }

  void at(Scenario scenario, Duration elapsed, Duration whole) {
    long percent = WHOLE * elapsed.toMillis() / Math.max(1, whole.toMillis());
    if (percent != shown) {
      shown = percent;
      line.show(
          "%s, seed %d: %s of %s (%d%%)"
              .formatted(
                  scenario.name(),
                  scenario.seed(),
                  Spans.text(Duration.ofSeconds(elapsed.toSeconds())),
                  Spans.text(whole),
                  percent));
    }
  }

  void clear() {
    line.clear();
    shown = -1;
  }
}
