package dev.berth.cli.running;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.metrics.Metrics;
import java.io.PrintWriter;
import java.util.Optional;

/** What commands have in common that run until somebody stops them. */
public final class Running {
  /** Where a component shows its metrics that is not in the API server's process. */
  public static final Option METRICS =
      new Option(
          "--metrics-port",
          "N",
          "Serves /metrics and /healthz over plain HTTP on this port of 127.0.0.1 (default: not).");

  private static final int LAST_PORT = 65_535;

  private Running() {}

  /** Shows metrics, if the arguments name a port. */
  public static Optional<MetricsServer> serveMetrics(Arguments arguments, Metrics metrics) {
    int port = arguments.number(METRICS.name(), 0, 0, LAST_PORT);
    return port == 0 ? Optional.empty() : Optional.of(MetricsServer.start(port, metrics));
  }

  /**
   * Says what happens when the process is told to stop; to be called before it says that it runs.
   *
   * @param close ends all that runs
   * @param farewell the last sentence
   */
  public static void atTheEnd(PrintWriter out, Runnable close, String farewell) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  close.run();
                  out.println(farewell);
                  out.flush();
                  // What Java would exit with after a signal is not what a supervisor calls
                  // success.
                  Runtime.getRuntime().halt(ExitCode.OK);
                },
                "shutdown"));
  }

  /** Waits for a signal. */
  public static int untilStopped(PrintWriter out) throws InterruptedException {
    out.flush();
    Thread.currentThread().join();
    return ExitCode.OK;
  }
}
