package dev.berth.cli.running;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.HeapDumpOption;
import dev.berth.cli.options.LogOptions;
import dev.berth.metrics.Metrics;
import dev.berth.time.LoopFailure;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What commands have in common that run until somebody stops them. */
public final class Running {
  /** Where a component shows its metrics that is not in the API server's process. */
  public static final Option METRICS =
      new Option(
          "--metrics-port",
          "N",
          "Serves /metrics and /healthz over plain HTTP on this port of 127.0.0.1 (default: no"
              + " port).");

  private static final int LAST_PORT = 65_535;

  private Running() {}

  /** Options that all of these commands have, behind those of one. */
  public static List<Option> with(List<Option> own) {
    List<Option> all = new ArrayList<>(own);
    all.addAll(LogOptions.OPTIONS);
    all.add(HeapDumpOption.OPTION);
    return List.copyOf(all);
  }

  /** Time, whose loops' failures are logged. */
  public static WallTime time() {
    return new WallTime(Running::failed);
  }

  private static void failed(LoopFailure failure) {
    LoggerFactory.getLogger(failure.loop())
        .atError()
        .setCause(failure.cause())
        .log("stopped because of a bug in Berth");
  }

  /** Shows metrics, if the arguments name a port. */
  public static Optional<MetricsServer> serveMetrics(Arguments arguments, Metrics metrics) {
    int port = arguments.number(METRICS.name(), 0, 0, LAST_PORT);
    return port == 0 ? Optional.empty() : Optional.of(MetricsServer.start(port, metrics));
  }

  /**
   * Says what happens when the process is told to stop; to be called before it says that it runs.
   *
   * @param component who stops, in the log
   * @param close ends all that runs
   * @param farewell the last sentence
   */
  public static void atTheEnd(
      String component, ProcessLog log, PrintWriter out, Runnable close, String farewell) {
    Logger logger = LoggerFactory.getLogger(component);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  logger.info("stopping");
                  close.run();
                  logger.info("stopped");
                  log.close();
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
