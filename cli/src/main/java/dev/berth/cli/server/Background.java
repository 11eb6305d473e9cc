package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.ServerFile;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Starts a server as a process of its own, which outlives this one and its terminal, and waits
 * until it is ready. The server is started by the command line that started this process, but for
 * the option that says so, and writes all it has to say to a log file in its directory.
 */
final class Background {
  static final Option WAIT =
      new Option(
          "--wait",
          "[=TIME]",
          "Starts the server in the background and returns once it is ready, or fails if it is not"
              + " ready in TIME (default: 2m). It logs to %s in the data directory; \"berth down\""
                  .formatted(ServerFile.LOG)
              + " stops it.");

  private static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final Duration FAREWELL = Duration.ofSeconds(15);

  private final ServerPlace place;
  private final Process process;
  private final LogFile log;
  private final Console console;

  private Background(ServerPlace place, Process process, LogFile log, Console console) {
    this.place = place;
    this.process = process;
    this.log = log;
    this.console = console;
  }

  static int start(Arguments arguments, ServerPlace place, Console console)
      throws InterruptedException {
    Duration patience =
        arguments.text(WAIT.name()).orElse("").isEmpty()
            ? USUAL_PATIENCE
            : FlagValues.duration(arguments, WAIT, USUAL_PATIENCE);
    Optional<ServerFile> other = ServerFile.read(place.directory());
    if (other.isPresent()) {
      console.err().println("berth: " + AlreadyRunning.message(place.directory(), other.get()));
      return ExitCode.FAILED;
    }
    place.create();
    LogFile log = LogFile.open(place.directory().resolve(ServerFile.LOG));
    Process process = spawn(JavaCommand.berth(words(arguments, place)), log.file());
    // Whoever interrupts the wait does not want the server either.
    Thread abandoned = new Thread(process::destroy, "abandoned");
    Runtime.getRuntime().addShutdownHook(abandoned);
    int status = new Background(place, process, log, console).await(patience);
    Runtime.getRuntime().removeShutdownHook(abandoned);
    return status;
  }

  /**
   * What was asked for, but to run in the foreground, and with the directory that others look in.
   */
  private static List<String> words(Arguments arguments, ServerPlace place) {
    List<String> words = new ArrayList<>(List.of("up"));
    for (String word : arguments.words()) {
      if (!word.equals(WAIT.name()) && !word.startsWith(WAIT.name() + "=")) {
        words.add(word);
      }
    }
    if (!arguments.has(DataOption.OPTION.name())) {
      words.add(DataOption.OPTION.name() + "=" + place.directory());
    }
    return words;
  }

  private static Process spawn(List<String> command, Path log) {
    try {
      return new ProcessBuilder(JavaCommand.detached(command))
          .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
          .redirectErrorStream(true)
          .redirectOutput(Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("The server cannot be started: " + e.getMessage(), e);
    }
  }

  private int await(Duration patience) throws InterruptedException {
    try (WallTime time = new WallTime(_ -> {})) {
      Instant end = time.monotonicNow().plus(patience);
      while (time.monotonicNow().isBefore(end)) {
        if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
          return ended();
        }
        Optional<ServerFile> server = complete();
        if (server.isPresent()) {
          Connection connection = Kubeconfig.read(server.get().kubeconfig()).connection();
          if (isReady(connection, time)) {
            return ready(connection, server.get().kubeconfig());
          }
        }
      }
    }
    process.destroy();
    if (!process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
    }
    return failed("The server was not ready in time, and was stopped");
  }

  /** The server once it has begun all that it is to do, and has warned of what it cannot. */
  private Optional<ServerFile> complete() {
    return ServerFile.read(place.directory())
        .filter(server -> server.process().pid() == process.pid() && server.isComplete());
  }

  private static boolean isReady(Connection server, WallTime time) {
    try (HttpApi api = new HttpApi(server, time, "up")) {
      return api.page("/readyz", ANSWER).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private int ready(Connection server, Path kubeconfig) {
    console
        .out()
        .printf(
            "Berth serves the Kubernetes API at %s in the background. Next: kubectl --kubeconfig %s"
                + " get nodes%n",
            server.server(), kubeconfig);
    log.warnings().forEach(console.err()::println);
    return ExitCode.OK;
  }

  private int ended() {
    int status = failed("The server ended with status " + process.exitValue());
    return process.exitValue() == 0 ? status : process.exitValue();
  }

  /** Says why, in the server's own words. */
  private int failed(String what) {
    List<String> words = log.reasons();
    console.err().printf("berth: %s; %s has its log.%n", what, log.file());
    words.forEach(console.err()::println);
    return ExitCode.FAILED;
  }
}
