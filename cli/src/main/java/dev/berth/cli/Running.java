package dev.berth.cli;

import dev.berth.component.ComponentHealth;
import dev.berth.component.HealthEndpoints;
import dev.berth.component.Supervisor;
import dev.berth.metrics.Metrics;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What commands have in common that run until somebody stops them. */
final class Running {
  /** Where a component shows its metrics that is not in the API server's process. */
  static final Option METRICS =
      new Option(
          "--metrics-port",
          "N",
          "Serves /metrics, /healthz, /livez and /readyz over plain HTTP on this port of 127.0.0.1"
              + " (default: not).");

  private static final int LAST_PORT = 65_535;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private Running() {}

  /** Shows metrics and health, if the arguments name a port. */
  static Optional<MetricsServer> serveMetrics(
      Arguments arguments, Metrics metrics, ComponentHealth health) {
    int port = arguments.number(METRICS.name(), 0, 0, LAST_PORT);
    return port == 0
        ? Optional.empty()
        : Optional.of(MetricsServer.start(port, metrics, HealthEndpoints.of(health)));
  }

  /** Ends all components; whoever leads begins to give the lease back. */
  static void stop(Supervisor supervisor) {
    try {
      supervisor.stop().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // Something holds the supervisor up; the process ends all the same.
    }
  }

  /**
   * Says what happens when the process is told to stop; to be called before it says that it runs.
   *
   * @param close ends all that runs
   * @param farewell the last sentence
   */
  static void atTheEnd(PrintWriter out, Runnable close, String farewell) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  close.run();
                  out.println(farewell);
                  out.flush();
                  // What Java would exit with after a signal is not what a supervisor calls
                  // success.
                  Runtime.getRuntime().halt(Main.OK);
                },
                "shutdown"));
  }

  /** Waits for a signal. */
  static int untilStopped(PrintWriter out) throws InterruptedException {
    out.flush();
    Thread.currentThread().join();
    return Main.OK;
  }
}
