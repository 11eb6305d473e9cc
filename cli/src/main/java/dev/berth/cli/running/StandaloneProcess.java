package dev.berth.cli.running;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.HeapDumpOption;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.leaderelection.LeaderElected;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.component.Components;
import dev.berth.component.HealthEndpoints;
import dev.berth.component.Supervisor;
import dev.berth.controllers.Controllers;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A process that runs components for an API server elsewhere. It owns what they need: log, time,
 * supervisor, connection, and the port where their metrics and health are served.
 */
public final class StandaloneProcess implements AutoCloseable {
  /** Where metrics and health are served. */
  public static final Option METRICS =
      new Option(
          "--metrics-port",
          "N",
          "Serves /metrics, /healthz, /livez and /readyz over plain HTTP on this port of 127.0.0.1"
              + " (default: no port).");

  /** Leaves leader election out. */
  public static final Option ALONE =
      Option.flag(
          "--no-leader-election",
          "Starts at once, whoever else leads. Two that run this way get in each other's way.");

  private static final int LAST_PORT = 65_535;

  private final String name;
  private final Connection connection;
  private final PrintWriter out;
  private final ProcessLog log;
  private final WallTime time = Running.time();
  private final Metrics metrics = new Metrics();
  private final Supervisor supervisor = new Supervisor(time, metrics);
  private final HttpApi api;
  private final AtomicBoolean closed = new AtomicBoolean();
  private Optional<MetricsServer> metricsServer = Optional.empty();

  private StandaloneProcess(String name, Connection connection, PrintWriter out, ProcessLog log) {
    this.name = name;
    this.connection = connection;
    this.out = out;
    this.log = log;
    api = new HttpApi(connection, time, name);
  }

  /**
   * Starts all but the components.
   *
   * @param name of the command; the API server sees it in the user agent
   */
  public static StandaloneProcess start(
      String name, Arguments arguments, Console console, Connection connection) {
    int metricsPort = arguments.number(METRICS.name(), 0, 0, LAST_PORT);
    HeapDumpOption.apply(arguments);
    ProcessLog log = ProcessLog.start(arguments, console);
    try {
      StandaloneProcess process = new StandaloneProcess(name, connection, console.out(), log);
      if (metricsPort != 0) {
        process.serveMetrics(metricsPort);
      }
      return process;
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private void serveMetrics(int port) {
    HealthEndpoints health = HealthEndpoints.of(supervisor.health());
    try {
      metricsServer = Optional.of(MetricsServer.start(port, metrics, health));
    } catch (UncheckedIOException e) {
      stopComponents();
      throw e;
    }
  }

  public Supervisor supervisor() {
    return supervisor;
  }

  public HttpApi api() {
    return api;
  }

  public Metrics metrics() {
    return metrics;
  }

  public WallTime time() {
    return time;
  }

  /** Runs controllers: while this process holds a lease, or at once if told to. */
  public void runControllers(
      Arguments arguments,
      ObjectName lease,
      BiConsumer<? super Components, Controllers.Parts> controllers) {
    Controllers.Parts parts = new Controllers.Parts(_ -> api, api, metrics);
    if (arguments.has(ALONE.name())) {
      controllers.accept(supervisor, parts);
    } else {
      runElected(
          identity -> LeaderElection.Config.standard(lease, identity),
          (scope, leader) -> () -> controllers.accept(scope, parts.as(leader)));
    }
  }

  /**
   * Runs components while this process leads. The process ends when it no longer does.
   *
   * @param config of an election, for the identity by which this process is told apart
   */
  public void runElected(
      Function<String, LeaderElection.Config> config, LeaderElected.Led components) {
    String identity =
        ClusterOptions.host() + "_" + Long.toHexString(time.random("identity").nextLong());
    LeaderElected.run(supervisor, api, config.apply(identity), components, new Leadership(log));
  }

  /**
   * Says what runs, and waits until the process is told to stop.
   *
   * @param what what runs, for the first sentence
   * @param farewell the last sentence
   */
  public int untilStopped(String what, String farewell) throws InterruptedException {
    return untilStopped(what, () -> farewell);
  }

  /** The same, with a last sentence that depends on what happened. */
  public int untilStopped(String what, Supplier<String> farewell) throws InterruptedException {
    Running.atTheEnd(
        name,
        log,
        out,
        () -> {
          stopComponents();
          return farewell.get();
        });
    out.printf("Running %s for %s.%n", what, connection.server());
    return Running.untilStopped(out);
  }

  @Override
  public void close() {
    stopComponents();
    log.close();
  }

  private void stopComponents() {
    if (closed.compareAndSet(false, true)) {
      Running.stop(supervisor);
      time.close();
      api.close();
      metricsServer.ifPresent(MetricsServer::close);
    }
  }
}
