package dev.berth.cli.running;

import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.HeapDumpOption;
import dev.berth.cli.options.LogOptions;
import dev.berth.component.Supervisor;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What commands that run until they are stopped have in common. */
public final class Running {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Running() {}

  /** Options that all of these commands have, behind those of one. */
  public static List<Option> with(List<Option> own) {
    List<Option> all = new ArrayList<>(own);
    all.addAll(LogOptions.OPTIONS);
    all.add(HeapDumpOption.OPTION);
    return List.copyOf(all);
  }

  /**
   * Time for a process that runs on; a loop that fails and is nobody's component ends the process.
   */
  public static WallTime time() {
    WallTime time = new WallTime(FatalError::end);
    HeapUpkeep.start(time);
    return time;
  }

  /** Ends all components; whoever leads begins to give the lease back. */
  public static void stop(Supervisor supervisor) {
    try {
      supervisor.stop().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LoggerFactory.getLogger("berth").warn("components did not stop within {}", PATIENCE);
    }
  }

  /**
   * Says what happens when the process is told to stop; to be called before it says that it runs.
   *
   * @param component who stops, in the log
   * @param close ends all that runs, and returns the last sentence
   */
  public static void atTheEnd(
      String component, ProcessLog log, PrintWriter out, Supplier<String> close) {
    Logger logger = LoggerFactory.getLogger(component);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  logger.info("stopping");
                  String farewell = close.get();
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
