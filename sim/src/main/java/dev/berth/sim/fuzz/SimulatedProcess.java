package dev.berth.sim.fuzz;

import dev.berth.component.Supervisor;
import dev.berth.metrics.Metrics;
import dev.berth.sim.ProcessTime;
import dev.berth.time.LoopFailure;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process of a simulated cluster, on a machine with a clock of its own. It ends as by {@code kill
 * -9}, and comes back as another that knows nothing.
 */
final class SimulatedProcess {
  private final String name;
  private final VirtualTime time;
  private final FuzzNetwork network;
  private final LoopFailure.Listener failures;
  private final BiConsumer<Supervisor, String> main;
  private Duration clockOffset = Duration.ZERO;
  private @Nullable ProcessTime running;
  private int starts;

  /**
   * @param main starts its components, under an identity that no process had before
   */
  SimulatedProcess(
      String name,
      VirtualTime time,
      FuzzNetwork network,
      LoopFailure.Listener failures,
      BiConsumer<Supervisor, String> main) {
    this.name = name;
    this.time = time;
    this.network = network;
    this.failures = failures;
    this.main = main;
  }

  String name() {
    return name;
  }

  void start() {
    if (running == null) {
      starts++;
      String identity = name + "_" + starts;
      ProcessTime own = new ProcessTime(time, identity, network.loop(), () -> network.delay(name));
      own.stepWallClock(clockOffset);
      running = own;
      main.accept(new Supervisor(own, new Metrics(), failures), identity);
    }
  }

  void kill() {
    if (running != null) {
      running.kill();
      running = null;
      network.forget(name);
    }
  }

  void setClock(Duration offset) {
    if (running != null) {
      running.stepWallClock(offset.minus(clockOffset));
    }
    clockOffset = offset;
  }

  Duration clockOffset() {
    return clockOffset;
  }
}
